// Times the same questions put to the program and to the folder of files of `scripts/build-web`: both speak the same protocol,
// each answers on one thread. `WEB=target/web ODDSMITH=target/release/oddsmith node benches/web.mjs` prints a table.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { WEB = join(root, "target/web"), ODDSMITH = join(root, "target/release/oddsmith") } = process.env;
/** How often each question is put; the first time and the median count, as browsers compile what runs often once more. */
const TIMES = Number(process.env.TIMES ?? 41);

const ask = (game, method, question) => ({ game, method, question });
const QUESTIONS = {
  "W1: 55,902 rows of Stars & Signs": ask("stars-and-signs", "table", {
    sweeps: ["circ_boons=-5..=5", "ability_rank=1,2,4,6,8,10", "ability_boons=-5..=5", "adv_invokes=0..=6", "flat=0..=10"], count: 10,
  }),
  "odds of one configuration": ask("stars-and-signs", "odds", { settings: ["ability_rank=6", "skill_rank=3"] }),
  "a table of 66 rows": ask("stars-and-signs", "table", { sweeps: ["circ_boons=-5..=5", "ability_rank=1,2,4,6,8,10"] }),
  "a track": ask("stars-and-signs", "track", { track: "counter" }),
};

/** The worker's session, and the milliseconds until it is there. */
async function folder() {
  const load = (file) => import(pathToFileURL(resolve(WEB, file)).href);
  const [{ unpack }, { default: start, Session }] = await Promise.all([load("lzma.js"), load("session.js")]);
  const packed = readFileSync(join(WEB, "session.wasm.lzma"));
  const begun = performance.now();
  const bytes = unpack(packed);
  const unpacked = performance.now();
  await start({ module_or_path: bytes });
  const session = new Session();
  console.log(`unpacked in ${(unpacked - begun).toFixed(0)} ms, compiled in ${(performance.now() - unpacked).toFixed(0)} ms\n`);
  return { send: (message, heard) => session.receive(message).forEach(heard), end: () => {} };
}

/** `oddsmith lsp` on one thread. */
function program() {
  const child = spawn(ODDSMITH, ["lsp"], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, RAYON_NUM_THREADS: "1" } });
  let rest = Buffer.alloc(0), done = () => {};
  child.stdout.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.subarray(0, 100).toString("latin1"));
      if (head === null || rest.length < head[0].length + Number(head[1])) return;
      const end = head[0].length + Number(head[1]);
      done(rest.subarray(head[0].length, end).toString());
      rest = rest.subarray(end);
    }
  });
  return {
    send: (message, heard) => {
      done = heard;
      child.stdin.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
    },
    end: () => child.kill(),
  };
}

/** A question's answer, and the milliseconds until it is there. */
function answer(side, id, method, params) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    side.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }), (text) => {
      const message = JSON.parse(text);
      if (message.id !== id || message.method) return;
      if (message.error) reject(new Error(JSON.stringify(message.error)));
      else resolve({ time: performance.now() - begun, result: message.result });
    });
  });
}

async function times(side) {
  await answer(side, "begin", "initialize", { capabilities: {}, processId: null, rootUri: null });
  const tell = (method, params) => side.send(JSON.stringify({ jsonrpc: "2.0", method, params }), () => {});
  tell("initialized", {});
  const found = {};
  for (const [at, [name, { game, method, question }]] of Object.entries(QUESTIONS).entries()) {
    const uri = `untitled:${at}.toml`, text = readFileSync(join(root, `rulesets/${game}.toml`), "utf8");
    const own = [];
    let last;
    for (let run = 0; run < TIMES; run++) {
      // A new document, so that nothing is remembered.
      const version = run + 1, textDocument = { uri, version };
      if (run === 0) tell("textDocument/didOpen", { textDocument: { ...textDocument, languageId: "toml", text } });
      else tell("textDocument/didChange", { textDocument, contentChanges: [{ text: `${text}\n# ${run}` }] });
      const { time, result } = await answer(side, `${at}-${run}`, `oddsmith/${method}`, { textDocument, question });
      own.push(time);
      last = JSON.stringify(result);
    }
    found[name] = { first: own[0], time: own.sort((a, b) => a - b)[own.length >> 1], answer: last };
  }
  side.end();
  return found;
}

const here = await times(program());
const there = await times(await folder());
console.log("| | program, one thread | folder | times | folder, the first time |\n|---|---|---|---|---|");
for (const name of Object.keys(QUESTIONS)) {
  const [own, web] = [here[name], there[name]];
  if (own.answer !== web.answer) throw new Error(`${name}: the answers differ`);
  console.log(`| ${name} | ${own.time.toFixed(1)} ms | ${web.time.toFixed(1)} ms | ${(web.time / own.time).toFixed(2)} | ${web.first.toFixed(1)} ms |`);
}
