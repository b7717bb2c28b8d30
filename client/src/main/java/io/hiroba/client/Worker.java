package io.hiroba.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Carries out the steps of a service: fetches tasks, runs each on a virtual thread with heartbeats in the background, and tells how
 * it ended. One that stops fetches no more and lets running steps end.
 */
public final class Worker implements AutoCloseable {

    private static final Logger log = System.getLogger(Worker.class.getName());
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_REASON_LENGTH = 300;
    private static final int MAX_TASKS = 100;

    /** Answers of the server to what is too large or cannot be stored. */
    private static final Set<Integer> REFUSALS = Set.of(400, 413, 422);

    private final Api api;
    private final Builder settings;
    private final Map<String, Handler<?>> handlers;
    private final Semaphore room;
    private final Thread poller;
    private volatile boolean stopping;

    /**
     * A method that carries out a step.
     *
     * @param <I> the type that its input is read as
     */
    @FunctionalInterface
    public interface Step<I> {

        /** Carries out the step; what it returns is the step's answer, written as JSON. */
        @Nullable
        Object run(I input, Task task) throws Exception;
    }

    private record Handler<I>(Class<I> type, Step<I> step) {

        @Nullable
        Object run(Task task) throws Exception {
            I input;
            try {
                input = Api.JSON.treeToValue(task.input(), type);
            } catch (JacksonException e) {
                throw StepFailedException.permanent(
                        "The input is no " + type.getSimpleName() + ": " + e.getOriginalMessage());
            }
            return step.run(input, task);
        }
    }

    /** The settings of a worker. */
    public static final class Builder {

        private final Api api;
        private final String service;
        private final Map<String, Handler<?>> handlers = new HashMap<>();
        private String name = hostName() + "-" + ProcessHandle.current().pid();
        private int parallelism = 10;
        private Duration lease = Duration.ofSeconds(30);
        private Duration wait = Duration.ofSeconds(10);

        Builder(Api api, String service) {
            this.api = api;
            this.service = service;
        }

        private static String hostName() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "worker";
            }
        }

        /** Carries out the method that steps of workflows name. */
        public <I> Builder step(String method, Class<I> input, Step<I> step) {
            if (handlers.putIfAbsent(method, new Handler<>(input, step)) != null) {
                throw new IllegalArgumentException(method + " is there already");
            }
            return this;
        }

        /** Undoes a step by the method that its {@code compensate} names. It may be called for a step that had no effect. */
        public <I> Builder compensation(String method, Class<I> input, Step<I> undo) {
            return step(method, input, undo);
        }

        /**
         * Says whether a step took effect, by the method that its {@code status} names: returns the step's answer, or throws {@link
         * StepFailedException#notFound}.
         */
        public <I> Builder question(String method, Class<I> input, Step<I> question) {
            return step(method, input, question);
        }

        /** The name that people see; by default that of the host and the process. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** How many steps run at the same time; 10 by default. */
        public Builder parallelism(int steps) {
            if (steps < 1) {
                throw new IllegalArgumentException("parallelism must be at least 1");
            }
            parallelism = steps;
            return this;
        }

        /** How long the server waits for a heartbeat before it gives a step to another worker; 30 s by default. */
        public Builder lease(Duration lease) {
            this.lease = lease;
            return this;
        }

        /** How long one request for tasks waits, up to 30 s; a worker that is closed waits for its last. 10 s by default. */
        public Builder pollWait(Duration wait) {
            this.wait = wait;
            return this;
        }

        /** Starts to fetch tasks. */
        public Worker start() {
            return new Worker(this);
        }
    }

    private Worker(Builder settings) {
        this.api = settings.api;
        this.settings = settings;
        this.handlers = Map.copyOf(settings.handlers);
        this.room = new Semaphore(settings.parallelism);
        this.poller = Thread.ofVirtual().name("worker of " + settings.service).start(this::poll);
    }

    private void poll() {
        int failures = 0;
        while (!stopping) {
            room.acquireUninterruptibly();
            int free = 1 + room.drainPermits();
            int taken = 0;
            try {
                var tasks = stopping ? null : fetch(Math.min(free, MAX_TASKS));
                failures = 0;
                if (tasks != null) {
                    for (var task : tasks) {
                        taken++;
                        Thread.startVirtualThread(() -> carryOut(new Task(task)));
                    }
                }
            } catch (RuntimeException e) {
                // Whatever it is: a worker that asks no more looks like one that has nothing to do.
                failures++;
                log.log(Level.WARNING, "Tasks of {0} cannot be fetched: {1}", settings.service, e.toString());
            } finally {
                room.release(free - taken);
            }
            if (failures > 0 && !stopping) {
                Retry.pause(failures);
            }
        }
    }

    private JsonNode fetch(int max) {
        var body = Map.of(
                "worker",
                settings.name,
                "max",
                max,
                "waitSeconds",
                settings.wait.toSeconds(),
                "leaseSeconds",
                settings.lease.toSeconds());
        return api.post("/api/v1/workers/" + Api.encoded(settings.service) + "/poll", body, Map.of())
                .path("tasks");
    }

    private void carryOut(Task task) {
        var over = new CountDownLatch(1);
        try {
            Thread.startVirtualThread(() -> keep(task, over));
            end(task);
        } finally {
            over.countDown();
            room.release();
        }
    }

    private void end(Task task) {
        String act;
        Map<String, Object> body = new HashMap<>();
        try {
            var handler = handlers.get(task.method());
            if (handler == null) {
                throw StepFailedException.permanent("The worker has no method " + task.method());
            }
            var answer = handler.run(task);
            act = "complete";
            body.put("answer", Api.JSON.valueToTree(answer));
        } catch (Exception | Error e) {
            act = "fail";
            body.clear();
            var known = e instanceof StepFailedException failed ? failed : null;
            body.put("reason", reason(e));
            body.put("retryable", known == null || known.isRetryable());
            body.put("maybeDone", known == null);
            if (known != null && known.isNotFound()) {
                body.put("code", "NOT_FOUND");
            }
            log.log(Level.INFO, "Step " + task.step() + " of saga " + task.sagaId() + " failed", e);
        }
        if (tell(task, act, body) == Told.REFUSED && act.equals("complete")) {
            // A silent worker would have the step carried out again, with the same end.
            tell(
                    task,
                    "fail",
                    Map.of("reason", "The server refused the answer.", "retryable", false, "maybeDone", true));
        }
    }

    private enum Told {
        HEARD,
        /** The server cannot take what it was told. */
        REFUSED,
        /** The server goes on without it, or cannot be reached. */
        UNHEARD
    }

    private Told tell(Task task, String act, Map<String, Object> body) {
        try {
            Retry.of(() -> api.post(task.path(act), body, Map.of()));
            return Told.HEARD;
        } catch (HirobaException e) {
            log.log(
                    Level.WARNING,
                    "The end of step {0} of saga {1} is not used: {2}",
                    task.step(),
                    task.sagaId(),
                    e.getMessage());
            return REFUSALS.contains(e.status()) ? Told.REFUSED : Told.UNHEARD;
        }
    }

    private static String reason(Throwable e) {
        var message = e.getMessage() == null || e.getMessage().isBlank()
                ? e.getClass().getSimpleName()
                : e.getMessage();
        return message.length() <= MAX_REASON_LENGTH ? message : message.substring(0, MAX_REASON_LENGTH);
    }

    /** Sends heartbeats, three in the time of a lease, until the step is over or lost. */
    private void keep(Task task, CountDownLatch over) {
        long pause = Math.max(200, (long) (task.leaseSeconds() * 1000 / 3));
        try {
            while (!over.await(pause, TimeUnit.MILLISECONDS)) {
                Map<String, Object> body = new HashMap<>();
                body.put("progress", task.progress());
                try {
                    if (api.post(task.path("heartbeat"), body, Map.of())
                            .path("cancelled")
                            .asBoolean(false)) {
                        task.cancel();
                    }
                } catch (HirobaException e) {
                    if (!e.isTransient() && over.getCount() > 0) {
                        task.cancel();
                        return;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Fetches no more tasks, and returns when the running steps have ended, after a minute at most. */
    @Override
    public void close() {
        stopping = true;
        try {
            poller.join(STOP_TIMEOUT);
            if (!room.tryAcquire(settings.parallelism, STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                log.log(Level.WARNING, "Steps were still running when the worker was closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
