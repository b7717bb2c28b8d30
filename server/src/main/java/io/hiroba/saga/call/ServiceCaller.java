package io.hiroba.saga.call;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepOutcome.Failed;
import java.time.InstantSource;
import java.util.List;

/** Calls every service over the protocol of its endpoint. */
public final class ServiceCaller implements StepCaller, AutoCloseable {

    private final LocalSteps local;
    private final Services services;
    private final HttpCaller http;
    private final GrpcCaller grpc;

    public ServiceCaller(LocalSteps local, Services services, InstantSource clock) {
        this(local, services, clock, List.of());
    }

    /** @param masked the fields whose values are masked where the answer of a refused call is kept */
    public ServiceCaller(LocalSteps local, Services services, InstantSource clock, List<String> masked) {
        this.local = local;
        this.services = services;
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
        return target.endpoint().isGrpc()
                ? grpc.call(target.endpoint(), secrets, call)
                : http.call(target.endpoint(), secrets, call);
    }

    @Override
    public void close() {
        http.close();
        grpc.close();
    }
}
