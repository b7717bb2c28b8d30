package io.hiroba.saga.call;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.call.StepOutcome.Failed;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Calls every service over the protocol of its endpoint. */
public final class ServiceCaller implements StepCaller, AutoCloseable {

    private final LocalSteps local;
    private final Services services;
    private final InstantSource clock;
    private final HttpCaller http;
    private final GrpcCaller grpc;
    private final @Nullable WorkerTasks tasks;

    /** Without tasks: services answer at once, or fail. */
    public ServiceCaller(LocalSteps local, Services services, InstantSource clock) {
        this(local, services, clock, List.of(), null);
    }

    /** @param masked the fields whose values are masked where the answer of a refused call is kept */
    public ServiceCaller(
            LocalSteps local,
            Services services,
            InstantSource clock,
            List<String> masked,
            @Nullable WorkerTasks tasks) {
        this.tasks = tasks;
        this.local = local;
        this.services = services;
        this.clock = clock;
        var refusals = new RefusedAnswers(masked);
        this.http = new HttpCaller(clock, refusals);
        this.grpc = new GrpcCaller(clock, refusals);
    }

    @Override
    public StepOutcome call(StepCall call) {
        if (local.has(call.service())) {
            return local.call(call);
        }
        var target = services.target(call.service()).orElse(null);
        if (target == null) {
            // Other nodes may know it: their configuration, or their program, may be newer.
            return Failed.retryable(Text.of("saga.journal.no-service", "service", call.service()));
        }
        var endpoint = target.endpoint();
        if (endpoint.isWorker()) {
            return tasks == null
                    ? Failed.retryable(Text.of("saga.journal.no-service", "service", call.service()))
                    : tasks.enqueue(call);
        }
        var secrets = target.secrets();
        if (!secrets.isReadable()) {
            return Failed.retryable(Text.of("saga.journal.secrets-unreadable", "service", call.service()));
        }
        long began = System.nanoTime();
        StepOutcome outcome;
        if (target.isAsync() && endpoint.isHttp() && tasks != null) {
            outcome = callAsync(tasks, endpoint, secrets, call);
        } else {
            outcome = endpoint.isGrpc() ? grpc.call(endpoint, secrets, call) : http.call(endpoint, secrets, call);
        }
        var took = Duration.ofNanos(System.nanoTime() - began);
        services.health().record(call, outcome, took, clock.instant());
        return outcome;
    }

    private StepOutcome callAsync(WorkerTasks opened, Endpoint endpoint, CallSecrets secrets, StepCall call) {
        var token = opened.begin(call);
        var outcome = http.call(endpoint, secrets, call, token);
        if (outcome instanceof StepOutcome.Pending) {
            opened.accepted(token);
        }
        return outcome;
    }

    /** Has steps of this program that wait leave their calls to other nodes. */
    public void stopping() {
        local.stopping();
    }

    @Override
    public Permit acquire(SagaId saga, List<String> called, Duration timeout) {
        var limited = new TreeMap<String, Integer>();
        for (var service : called) {
            // Tasks are limited where workers fetch them.
            if (!local.has(service) && services.isLimited(service) && !services.hasWorkers(service)) {
                limited.merge(service, 1, Integer::sum);
            }
        }
        return limited.isEmpty() ? Permit.UNLIMITED : services.limits().acquire(saga, limited, timeout);
    }

    @Override
    public void close() {
        http.close();
        grpc.close();
    }
}
