package io.hiroba.platform;

import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Assets;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/**
 * The services of a node that every feature module is built with.
 *
 * @param leases a pool for leases alone, so that a busy node does not lose its own
 * @param database how {@code db} was opened, with the connections of the whole node
 * @param commits signals of changes, between all nodes
 * @param data the folder of this node's files
 * @param encryption encrypts secrets that have to be read again
 * @param tracing begins traces
 * @param resources those that are closed with the node
 */
public record Platform(
        Db db,
        Db leases,
        DatabaseConfig database,
        Path data,
        IdGenerator ids,
        Clock clock,
        EventLog events,
        CommitSignal commits,
        Mailer mailer,
        MeterRegistry meters,
        Throttle throttle,
        Idempotency idempotency,
        Cursors cursors,
        EventStreams streams,
        ClientAddress addresses,
        Assets assets,
        HttpConfig http,
        Encryption encryption,
        Tracing tracing,
        ResourceStack resources) {

    /**
     * Opens a pool of connections with settings of their own, closed with the node.
     *
     * @param settings each as {@code name=value}
     */
    public Db openPool(List<String> settings) {
        return resources.add(Db.open(database.withPoolSize(database.pools().queries()), settings));
    }
}
