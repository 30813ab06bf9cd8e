// The parts of an answer that take a tenth of a second and more are worked out by a second copy of
// the planner in a worker, so that typing never waits. Only the newest question counts.

const parts = {
  sensitivity: (planner) => ({ sensitivity: planner.sensitivity() }),
  figures: (planner) => ({ figures: planner.figures() }),
  comparison: (planner) => planner.compare(),
  judged: (planner, { looked_up, reported }) =>
    ({ judged: looked_up && reported ? planner.judge(reported, looked_up) : null }),
  systems: (planner, { systems }) => ({ systems: systems ? planner.systems() : null }),
};

/// What the worker runs: it knows `bloomlab_planner` and `parts`, and nothing of the page.
function serve_parts() {
  const module = bloomlab_planner();
  let newest = 0;
  onmessage = async ({ data: { number, request } }) => {
    newest = number;
    const planner = await module;
    for (const [name, part_of] of Object.entries(parts)) {
      await new Promise((rested) => { setTimeout(rested); });
      if (number !== newest) return;
      planner.solve(request);
      postMessage({ number, name, part: part_of(planner, request) });
    }
  };
}

function worker_text() {
  const texts = Object.entries(parts).map(([name, part_of]) => `${name}: ${part_of}`);
  return `${by_id("module").textContent}\nconst parts = {${texts}};\n(${serve_parts})();`;
}

/// Calls `take(name, part)` for each part of the newest question that was asked and not forgotten.
/// Where a browser allows no worker to a file, the page works the parts out itself.
function background(take) {
  let newest = 0;
  let worker = null;
  const here = (request) => {
    for (const [name, part_of] of Object.entries(parts)) {
      planner.solve(request);
      take(name, part_of(planner, request));
    }
  };
  try {
    worker = new Worker(URL.createObjectURL(new Blob([worker_text()], { type: "text/javascript" })));
    worker.onmessage = ({ data: { number, name, part } }) => {
      if (number === newest) take(name, part);
    };
    worker.onerror = () => { worker = null; };
  } catch {
    worker = null;
  }
  return {
    ask: (request) => {
      newest += 1;
      if (worker) worker.postMessage({ number: newest, request });
      else here(request);
    },
    forget: () => { newest += 1; },
  };
}
