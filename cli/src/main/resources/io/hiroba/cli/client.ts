// A typed client of a project of Hiroba, made by `hiroba records client`. Make it again when a schema changes.
// It needs nothing but `fetch`: Node, Deno, Bun and browsers have it. Numbers of more than 15 digits lose the last of them.

/** A day, such as 2026-01-31. */
export type Day = string;

/** A moment, such as 2026-01-31T12:00:00Z. */
export type Moment = string;

/** A file of a record. To put one into a record, its id is enough. */
export interface Attachment {
  id: string;
  name: string;
  type: string;
  size: number;
  thumbnail?: boolean;
}

/** A record. What has no value is not in `values`. */
export interface Row<T> {
  id: string;
  version: number;
  createdAt: Moment;
  createdBy: string;
  updatedAt: Moment;
  updatedBy: string;
  values: T;
  computing?: boolean;
}

/** Some records; `next` is the `after` of the page that follows, null for the last. */
export interface Page<T> {
  items: Row<T>[];
  next: string | null;
  count?: { value: number; exact: boolean; text: string };
}

/** An attribute, one of the record that a reference leads to (`maker.name`), or the time of creation. */
export type Path<T> = (keyof T & string) | `${keyof T & string}.${string}` | "createdAt";

export type Operator =
  | "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "between" | "in" | "notIn" | "hasAll"
  | "startsWith" | "contains" | "notContains" | "within" | "exists" | "missing";

export type Condition<T> =
  | { and: Condition<T>[] }
  | { or: Condition<T>[] }
  | { not: Condition<T> }
  | { attr: Path<T>; op?: Operator; value?: unknown };

export interface Query<T> {
  where?: Condition<T>;
  sort?: { attr: Path<T>; dir?: "asc" | "desc"; nulls?: "first" | "last" }[];
  limit?: number;
  after?: string;
  count?: "none" | "estimate" | "exact";
}

/** Where the project is. A token is made by `hiroba token create` or on the settings page. */
export interface Options {
  url: string;
  token: string;
  project?: string;
  fetch?: typeof fetch;
}

/** The answer of a request that was refused. */
export class HirobaError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: { field: string; message: string }[];

  constructor(status: number, problem: { code?: string; detail?: string; errors?: { field: string; message: string }[] }) {
    super(problem.detail ?? `The server answered ${status}.`);
    this.name = "HirobaError";
    this.status = status;
    this.code = problem.code ?? "";
    this.errors = problem.errors ?? [];
  }
}

type Send = (method: string, path: string, body?: unknown, headers?: { [name: string]: string }) => Promise<any>;

function sender(options: Options, project: string): Send {
  const base = `${options.url.replace(/\/+$/, "")}/api/v1/projects/${encodeURIComponent(options.project ?? project)}`;
  const call = options.fetch ?? fetch;
  return async (method, path, body, headers) => {
    const response = await call(base + path, {
      method,
      headers: { Authorization: `Bearer ${options.token}`, "Content-Type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    let answer: any = undefined;
    try {
      answer = text === "" ? undefined : JSON.parse(text);
    } catch {
      answer = { detail: text.slice(0, 200) };
    }
    if (!response.ok) {
      throw new HirobaError(response.status, answer ?? {});
    }
    return answer;
  };
}

function matching(version: number | undefined): { [name: string]: string } {
  return version === undefined ? {} : { "If-Match": `"${version}"` };
}

/** The records of a schema. */
export class Table<T, New, Change> {
  readonly #send: Send;
  readonly #schema: string;

  constructor(send: Send, schema: string) {
    this.#send = send;
    this.#schema = schema;
  }

  #path(id?: string): string {
    return `/records/${encodeURIComponent(this.#schema)}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
  }

  /** A page of all records, in the order in which they were made. */
  list(page: { limit?: number; after?: string } = {}): Promise<Page<T>> {
    return this.query(page);
  }

  get(id: string): Promise<Row<T>> {
    return this.#send("GET", this.#path(id));
  }

  /** Makes a record. With the same `key`, a repeat within a day makes no second one. */
  create(values: New, key?: string): Promise<Row<T>> {
    return this.#send("POST", this.#path(), values, key === undefined ? {} : { "Idempotency-Key": key });
  }

  /** Changes what is given; null takes a value away. With a `version`, a record that was changed since is left alone. */
  update(id: string, change: Change, version?: number): Promise<Row<T>> {
    return this.#send("PATCH", this.#path(id), change, matching(version));
  }

  async delete(id: string, version?: number): Promise<void> {
    await this.#send("DELETE", this.#path(id), undefined, matching(version));
  }

  query(query: Query<T>): Promise<Page<T>> {
    return this.#send("POST", "/query", { ...query, schema: this.#schema });
  }

  /** All records that match, page by page. */
  async *all(query: Query<T> = {}): AsyncGenerator<Row<T>, void, undefined> {
    let after: string | null | undefined = query.after;
    do {
      const page: Page<T> = await this.query({ limit: 100, ...query, ...(after ? { after } : {}) });
      yield* page.items;
      after = page.next;
    } while (after);
  }
}
