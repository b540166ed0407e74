"""Stands in for modules that may not be installed and take no part in a test."""

import importlib.abc
import importlib.machinery
import sys
from unittest import mock


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path, target=None):
        if name.partition('.')[0] in self.names:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = mock.MagicMock()
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


def replace(*names):
    """Replaces those modules that cannot be found."""
    sys.meta_path.append(Absent(names))
