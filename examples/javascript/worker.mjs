// @ts-check
/**
 * A worker of Hiroba in JavaScript with types in JSDoc, which editors and `tsc --checkJs` check. Node 20 needs nothing else.
 *
 *   HIROBA_URL=http://localhost:8080 HIROBA_TOKEN=... node worker.mjs billing
 *
 * It carries out the methods `charge` and `refund` of the service that is named, until it is interrupted.
 */

import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {object} Task
 * @property {string} token
 * @property {string} sagaId
 * @property {string} method
 * @property {number} attempt
 * @property {any} input
 * @property {string} idempotencyKey the same for all attempts
 * @property {number} leaseSeconds
 */

const url = (process.env.HIROBA_URL ?? "http://localhost:8080").replace(/\/+$/, "");
const token = process.env.HIROBA_TOKEN ?? "";

/** A step did not succeed and had no effect. After any other error it may have had one. */
class StepFailed extends Error {
  /** @param {string} reason @param {boolean} retryable */
  constructor(reason, retryable = false) {
    super(reason);
    this.retryable = retryable;
  }
}

/** The server refused a request. */
class Refused extends Error {
  /** @param {number} status @param {string} detail */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** @type {Record<string, (input: any, task: Task) => Promise<unknown>>} */
const methods = {
  async charge(order, task) {
    if (order.amount < 0) {
      throw new StepFailed("The amount is negative.");
    }
    // A payment provider would be given task.idempotencyKey, so that another attempt does not charge twice.
    return { receipt: `R-${order.order}` };
  },
  async refund() {
    return { refunded: true };
  },
};

/** @param {string} path @param {unknown} body */
async function post(path, body) {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Refused(answer.status, text);
  }
  return text ? JSON.parse(text) : null;
}

/** @param {Task} task */
async function carryOut(task) {
  const beats = setInterval(
    () => post(`/api/v1/tasks/${task.token}/heartbeat`, {}).catch(() => {}), // the next one may get through
    (task.leaseSeconds * 1000) / 3,
  );
  let act = "complete";
  /** @type {object} */
  let body;
  try {
    const method = methods[task.method];
    if (!method) {
      throw new StepFailed(`The worker has no method ${task.method}`);
    }
    body = { answer: (await method(task.input, task)) ?? null };
  } catch (failed) {
    act = "fail";
    body =
      failed instanceof StepFailed
        ? { reason: failed.message, retryable: failed.retryable }
        : { reason: String(failed), retryable: true, maybeDone: true };
  } finally {
    clearInterval(beats);
  }
  for (let attempt = 0; attempt < 6; attempt++) {
    try {
      await post(`/api/v1/tasks/${task.token}/${act}`, body);
      return;
    } catch (failed) {
      if (failed instanceof Refused && failed.status < 500) {
        console.error("not used:", failed.message);
        return;
      }
    }
    await sleep(200 * 2 ** attempt);
  }
}

let stopping = false;
process.on("SIGINT", () => (stopping = true));
process.on("SIGTERM", () => (stopping = true));

const service = encodeURIComponent(process.argv[2]);
let failures = 0;
while (!stopping) {
  try {
    const { tasks } = await post(`/api/v1/workers/${service}/poll`, {
      worker: `${hostname()}-${process.pid}`,
      max: 10,
      waitSeconds: 5,
    });
    failures = 0;
    await Promise.all(tasks.map(carryOut));
  } catch (failed) {
    console.error("no tasks:", String(failed));
    await sleep(Math.min(15_000, 200 * 2 ** ++failures));
  }
}
