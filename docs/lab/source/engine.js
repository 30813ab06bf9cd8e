// The engine in a worker: it considers a config, measures it unit by unit, and opens results. A
// worker that is measuring hears nothing; to cancel is to end it and to make another one.

/// What the worker runs: it knows `bloomlab_lab` and its `packed` WebAssembly, and nothing of the page.
function serve_engine() {
  // The browser decodes an address of data far faster than a script does.
  const unpacked = (text) => fetch(`data:application/octet-stream;base64,${text}`)
    .then(({ body }) => new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  const module = unpacked(packed).then((wasmBinary) => bloomlab_lab({ wasmBinary }));
  const first_report_ms = 600;
  const little_work = JSON.stringify({ $schema: "bloomlab-config-1", kind: "false_positive_rate", title: "little", question: "little",
    seed: 1, trials: 1, queries: 20000, expected_flags: [], grid: { keys: { source: "uniform" }, n: 20000,
      filter: { kind: "standard", m: 200000, k: 7 }, hash: { name: "xxhash3_64", probe: "independent" } } });
  /// How many times as long as by estimate a little work takes here: estimates are of native programs.
  function slowness(engine) {
    let best = Infinity;
    for (let round = 0; round < 3; ++round) {
      const { seconds } = JSON.parse(engine.start(little_work, "little.json"));
      const begun = performance.now();
      while (!JSON.parse(engine.measure_next(() => {})).done);
      best = Math.min(best, (performance.now() - begun) / 1000 / seconds);
    }
    return best > 1 ? best : 1;  // a clock without digits says 0
  }
  let slow = 0;
  const works = {
    consider: (engine, { text, file, seconds }) => {
      slow ||= slowness(engine);
      const answer = JSON.parse(engine.consider(text, file, seconds / slow));
      for (const facts of [answer.whole, answer.scaled]) if (facts?.seconds) facts.seconds *= slow;
      return answer;
    },
    open: (engine, { text, file }) => JSON.parse(engine.open(text, file)),
    own: (engine, { text, file, counted }, say) => {
      const facts = JSON.parse(engine.start(text, file));
      if (facts.fault) return facts;
      for (let step = {}; !step.done;) {
        step = JSON.parse(engine.measure_next((share) => say({ share })));
        if (step.fault) return step;
      }
      return JSON.parse(engine.own(counted));
    },
    run: (engine, { text, file, here }, say) => {
      const begun = performance.now();
      let told = 0;
      const tell = (share) => say({ share, left: (performance.now() - begun) / 1000 * (1 / share - 1) });
      const facts = JSON.parse(engine.start(text, file));
      if (facts.fault) return facts;
      for (let next = begun + first_report_ms, trials = 0; ;) {
        const step = JSON.parse(engine.measure_next((share) => {
          if (performance.now() - told < 100) return;
          told = performance.now();
          tell(share);
        }));
        if (step.fault) return step;
        if (step.done) break;
        const is_new = step.trials === 0 || step.trials > trials;
        if (step.joined || !is_new || performance.now() < next) continue;
        trials = step.trials;
        const before = performance.now();
        const report = JSON.parse(engine.report());
        if (report.fault) return report;
        say({ report: { ...report, trials_done: trials, trials: facts.trials } });
        next = performance.now() + Math.max(1000, 8 * (performance.now() - before));
      }
      const report = JSON.parse(engine.report());
      if (report.fault) return report;
      const result = JSON.parse(engine.result(here));
      if (result.fault) return result;
      return { ...report, ...result, seconds: (performance.now() - begun) / 1000 };
    },
  };
  onmessage = async ({ data: { job, work, input } }) => {
    const engine = await module;
    const say = (part) => postMessage({ job, part });
    try {
      postMessage({ job, answer: works[work](engine, input, say) });
    } catch (error) {
      postMessage({ job, answer: { fault: String(error?.message ?? error) } });
    }
  };
}

const engine_url = URL.createObjectURL(new Blob(
  [`const packed = "${by_id("wasm").textContent}";\n${by_id("module").textContent}\n(${serve_engine})();`], { type: "text/javascript" }));

/// An engine. `ask(work, input, hear)` gives a promise of the answer; `hear` gets what is said on
/// the way. `cancel()` ends all that is asked: its promises stay open.
function make_engine() {
  let worker = null;
  let job = 0;
  const asked = new Map();
  const start = () => {
    worker = new Worker(engine_url);
    worker.onmessage = ({ data: { job: of, part, answer } }) => {
      const one = asked.get(of);
      if (!one) return;
      if (part) return one.hear(part);
      asked.delete(of);
      one.done(answer);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const waiting = [...asked.values()];
      asked.clear();
      worker = null;
      for (const one of waiting) one.done({ fault: event.message || "the engine stopped" });
    };
  };
  return {
    ask: (work, input, hear = () => {}) => new Promise((done) => {
      if (!worker) start();
      job += 1;
      asked.set(job, { done, hear });
      worker.postMessage({ job, work, input });
    }),
    cancel: () => {
      asked.clear();
      worker?.terminate();
      worker = null;
    },
  };
}
