// The parts of Vega that the pictures of a report need: no maps, no forces, no
// trees, no loading. Expressions are interpreted, so that the page may forbid eval.
import { transforms } from 'vega-dataflow';
import * as transform from 'vega-transforms';
import * as layout from 'vega-view-transforms';
import * as encode from 'vega-encode';
import { View } from 'vega-view';
import { parse } from 'vega-parser';
import { expressionInterpreter } from 'vega-interpreter';

Object.assign(transforms, transform, layout, encode);
globalThis.vega = { View, parse, expressionInterpreter };
