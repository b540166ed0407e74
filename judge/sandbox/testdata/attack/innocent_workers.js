// limits: memory=1024M processes=200 cpu=20s
// least: process
// want: exit=0 exceeded=none
// Node with worker threads, a child, and files.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const child_process = require('child_process');
const fs = require('fs');
const os = require('os');

if (!isMainThread) {
	parentPort.on('message', n => { parentPort.postMessage(n * n); parentPort.close(); });
} else {
	const squares = [...Array(8).keys()].map(n => new Promise((done, fail) => {
		const w = new Worker(__filename);
		w.on('message', done);
		w.on('error', fail);
		w.postMessage(n);
	}));
	Promise.all(squares).then(all => {
		const said = child_process.execSync('echo hello').toString();
		const input = fs.readFileSync(0).toString();
		if (all.join() !== '0,1,4,9,16,25,36,49' || said !== 'hello\n' || input !== 'input\n' || os.cpus().length < 0)
			process.exit(1);
	}).catch(e => { console.error(e); process.exit(2); });
}
