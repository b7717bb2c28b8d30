package io.hiroba.bench.saga;

import io.hiroba.bench.ServerProcess;

/** The benchmark of sagas of three HTTP steps in servers that are asked over HTTP: ours and Restate. */
public final class PeerSagasBench {

    private static final int SAGAS = 1000;

    private PeerSagasBench() {}

    public static void run() {
        try (var service = new LocalService(SagaBench.ANSWER);
                var ours = ServerProcess.ofThisBuild();
                var restate = Restate.start(service.url());
                var sagas = SagasOverHttp.of(ours, service).warmedUp();
                var invocations =
                        new SagasOverHttp(restate, service, "/order/run/send", "{\"order\": %d}").warmedUp()) {
            var work = "3 HTTP steps, %d at once, over HTTP".formatted(SagaBench.CLIENTS);
            new SagaBench.Contest(work, SAGAS)
                    .with(ours.name(), ours.cpu(), n -> sagas.saga())
                    .with(restate.name(), restate.cpu(), n -> invocations.saga())
                    .run();
        }
    }
}
