package io.hiroba.saga.call;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.call.StepOutcome.Failed;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;

/** Calls every service over the protocol of its endpoint. */
public final class ServiceCaller implements StepCaller, AutoCloseable {

    private final LocalSteps local;
    private final Services services;
    private final InstantSource clock;
    private final HttpCaller http;
    private final GrpcCaller grpc;

    public ServiceCaller(LocalSteps local, Services services, InstantSource clock) {
        this(local, services, clock, List.of());
    }

    /** @param masked the fields whose values are masked where the answer of a refused call is kept */
    public ServiceCaller(LocalSteps local, Services services, InstantSource clock, List<String> masked) {
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
            return Failed.retryable(Text.of("saga.journal.no-service", "service", call.service()));
        }
        var secrets = target.secrets();
        if (!secrets.isReadable()) {
            return Failed.retryable(Text.of("saga.journal.secrets-unreadable", "service", call.service()));
        }
        long began = System.nanoTime();
        var outcome = target.endpoint().isGrpc()
                ? grpc.call(target.endpoint(), secrets, call)
                : http.call(target.endpoint(), secrets, call);
        var took = Duration.ofNanos(System.nanoTime() - began);
        services.health().record(call, outcome, took, clock.instant());
        return outcome;
    }

    @Override
    public Permit acquire(SagaId saga, List<String> called, Duration timeout) {
        var limited = new TreeMap<String, Integer>();
        for (var service : called) {
            if (!local.has(service) && services.isLimited(service)) {
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
