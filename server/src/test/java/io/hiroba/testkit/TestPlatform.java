package io.hiroba.testkit;

import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
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
import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.platform.trace.Tracing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** Builds the platform of modules under test, on one pool of connections. */
public final class TestPlatform {

    private TestPlatform() {}

    public static Platform of(
            Db db, DatabaseConfig database, IdGenerator ids, Clock clock, Mailer mailer, HttpConfig http) {
        return new Platform(
                db,
                db,
                database,
                Path.of(System.getProperty("java.io.tmpdir")),
                ids,
                clock,
                new EventLog(),
                new CommitSignal(),
                mailer,
                new SimpleMeterRegistry(),
                new Throttle(db, clock),
                new Idempotency(db, clock),
                new Cursors(new SecretStore(db)),
                new EventStreams(10),
                new ClientAddress(http.trustedProxies()),
                new Assets(),
                http,
                encryption(db),
                Tracing.OFF,
                new ResourceStack());
    }

    /** With one key for all: processes of a test that share a database share it too. */
    public static Encryption encryption(Db db) {
        try {
            var file = Files.createTempFile("hiroba-test", ".keys");
            try {
                Files.writeString(file, "dGhlIHNhbWUga2V5IGluIGVhY2ggdGVzdCwgMzIgYiE=\n");
                return Encryption.open(db, file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
