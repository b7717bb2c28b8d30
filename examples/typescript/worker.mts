/**
 * A worker of Hiroba in TypeScript, without packages. Node runs it as it is from 22.18 on.
 *
 *   HIROBA_URL=http://localhost:8080 HIROBA_TOKEN=... node worker.mts billing
 *
 * It carries out the methods `charge` and `refund` of the service that is named, until it is interrupted.
 */

import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

interface Task {
  token: string;
  sagaId: string;
  method: string;
  attempt: number;
  input: unknown;
  /** The same for all attempts. */
  idempotencyKey: string;
  leaseSeconds: number;
}

interface Order {
  order: number;
  amount: number;
}

type Outcome = { answer: unknown } | { reason: string; retryable: boolean; maybeDone?: boolean };

const url = (process.env.HIROBA_URL ?? "http://localhost:8080").replace(/\/+$/, "");
const token = process.env.HIROBA_TOKEN ?? "";

/** A step did not succeed and had no effect. After any other error it may have had one. */
class StepFailed extends Error {
  readonly retryable: boolean;

  constructor(reason: string, retryable = false) {
    super(reason);
    this.retryable = retryable;
  }
}

/** The server refused a request. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

const methods: Record<string, (input: unknown, task: Task) => Promise<unknown>> = {
  async charge(input, task) {
    const order = input as Order;
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

async function post<T>(path: string, body: unknown): Promise<T> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Refused(answer.status, text);
  }
  return (text ? JSON.parse(text) : null) as T;
}

async function carryOut(task: Task): Promise<void> {
  const beats = setInterval(
    () => post(`/api/v1/tasks/${task.token}/heartbeat`, {}).catch(() => {}), // the next one may get through
    (task.leaseSeconds * 1000) / 3,
  );
  let act = "complete";
  let body: Outcome;
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

const service = encodeURIComponent(process.argv[2] ?? "");
let failures = 0;
while (!stopping) {
  try {
    const { tasks } = await post<{ tasks: Task[] }>(`/api/v1/workers/${service}/poll`, {
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
