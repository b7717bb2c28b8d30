package io.hiroba.saga.call;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepOutcome.Failed;
import java.time.InstantSource;

/** Calls every service over the protocol of its endpoint. */
public final class ServiceCaller implements StepCaller, AutoCloseable {

    private final LocalSteps local;
    private final Services services;
    private final HttpCaller http;
    private final GrpcCaller grpc = new GrpcCaller();

    public ServiceCaller(LocalSteps local, Services services, InstantSource clock) {
        this.local = local;
        this.services = services;
        this.http = new HttpCaller(clock);
    }

    @Override
    public StepOutcome call(StepCall call) {
        if (local.has(call.service())) {
            return local.call(call);
        }
        var endpoint = services.find(call.service()).map(Service::endpoint).orElse(null);
        if (endpoint == null) {
            return Failed.retryable(Text.of("saga.journal.no-service", "service", call.service()));
        }
        return endpoint.isGrpc() ? grpc.call(endpoint, call) : http.call(endpoint, call);
    }

    @Override
    public void close() {
        http.close();
        grpc.close();
    }
}
