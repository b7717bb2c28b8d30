package io.hiroba.bench;

import io.hiroba.bench.HttpBench.Request;
import io.hiroba.bench.records.Directus;
import io.hiroba.bench.records.RecordRequests;
import io.hiroba.bench.saga.PeerSagasBench;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The benchmark of products that people would take instead, which npm has: Directus against records, Restate against sagas. All are
 * asked over HTTP; ours is the first, so that a processor time of more than once the first's is dearer than ours.
 */
final class PeersBench {

    private PeersBench() {}

    static void run(double seconds) {
        if (!NpmPackages.available()) {
            System.err.println("· peers are left out: there is no npm to fetch them with");
            return;
        }
        PeerSagasBench.run();
        records(seconds);
    }

    private static void records(double seconds) {
        try (var ours = ServerProcess.ofThisBuild()) {
            var records = RecordRequests.fill(ours);
            try (var directus = Directus.start(ours.database())) {
                directus.compare(records.sample(ours));
                var requests = new LinkedHashMap<MeasuredServer, List<Request>>();
                requests.put(ours, records.all());
                requests.put(directus, directus.requests());
                HttpBench.run(requests, seconds);
            }
        }
    }
}
