// Bundles Vega and compiles the Vega-Lite pictures: node build.mjs FOLDER, which
// has pictures/*.vl.json and gets vega.js and pictures.json.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compile } from 'vega-lite';

const folder = process.argv[2];

const bundle = await build({
  entryPoints: ['bundle.js'], bundle: true, minify: true, write: false, metafile: true,
  format: 'iife', target: 'es2020', charset: 'ascii', legalComments: 'none',
});
writeFileSync(join(folder, 'vega.js'), licences(bundle.metafile) + bundle.outputFiles[0].text);

// licences is a comment with what the licences of all that is bundled ask to be
// kept, each text once.
function licences(metafile) {
  const texts = new Map();
  for (const file of Object.keys(metafile.inputs)) {
    const home = file.match(/^(?:.*\/)?node_modules\/[^/]+/)?.[0];
    if (!home) continue;
    const { name, version } = JSON.parse(readFileSync(join(home, 'package.json')));
    const licence = readdirSync(home).find(f => /^licen[cs]e/i.test(f));
    const text = readFileSync(join(home, licence), 'utf8').replaceAll('\r', '').replaceAll('*/', '* /').trim();
    texts.set(text, (texts.get(text) ?? new Set()).add(`${name} ${version}`));
  }
  let all = '/*! Made by scripts/vega: parts of Vega and of what it needs.\n';
  for (const [text, names] of [...texts].sort((a, b) => [...a[1]][0] < [...b[1]][0] ? -1 : 1)) {
    all += `\n== ${[...names].sort().join(', ')}\n\n${text}\n`;
  }
  return all.replace(/[^\n\x20-\x7e]/g, '?') + '*/\n';
}

const pictures = join(folder, 'pictures');
const read = file => readFileSync(join(pictures, file), 'utf8');
const config = read('config.json');
const labels = read('labels.json');
const compiled = {};

// labelled writes out the labels of axes, which are named: "sparse seconds" has
// no labels at 3, 4, 6 to 9 if the logarithmic axis is long. A "ratio" has none
// so near to 1 that the label of 1 would be left out.
function labelled(node, channel) {
  for (const [key, value] of Object.entries(node)) {
    if (key === 'labelExpr') {
      const { sparse, ...kinds } = JSON.parse(labels), words = value.split(' ');
      const text = kinds[words.at(-1)].replaceAll('AXIS', channel);
      node[key] = words[0] === 'sparse' ? `${sparse.replaceAll('AXIS', channel)} ? '' : ${text}` : text;
    } else if (value && typeof value === 'object') {
      labelled(value, key === 'axis' ? channel : key);
    }
  }
  return node;
}

for (const file of readdirSync(pictures).filter(f => f.endsWith('.vl.json')).sort()) {
  const source = read(file);
  const { spec } = compile(labelled(JSON.parse(source)), { config: JSON.parse(config) });
  delete spec.$schema;
  // By it a test sees that a picture was changed and not compiled again.
  spec.usermeta = { source: createHash('sha256').update(config).update(labels).update(source).digest('hex') };
  compiled[file.replace('.vl.json', '')] = spec;
}
const lines = Object.entries(compiled).map(([name, spec]) => `${JSON.stringify(name)}:${JSON.stringify(spec)}`);
writeFileSync(join(folder, 'pictures.json'), `{\n${lines.join(',\n')}\n}\n`);
