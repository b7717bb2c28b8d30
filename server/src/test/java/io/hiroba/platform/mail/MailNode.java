package io.hiroba.platform.mail;

import io.hiroba.platform.config.SecretText;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.mail.MailConfig.Limits;
import io.hiroba.platform.mail.MailConfig.Smtp;
import io.hiroba.platform.mail.MailConfig.Tls;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/** A node that sends mail: in this process, or in one of its own that can be killed. */
public final class MailNode implements AutoCloseable {

    static final Limits UNLIMITED = new Limits(1_000_000, 1_000_000, 1_000_000);

    private final Db db;
    private final WorkerLease lease;
    private final Mailer mailer;
    private final MeterRegistry meters = new SimpleMeterRegistry();

    private MailNode(DatabaseConfig database, MailConfig config, Path folder) {
        db = Db.open(database);
        lease = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
        mailer = new Mailer(db, lease.ids(), config, folder, meters, Duration.ofSeconds(1));
    }

    public static void main(String[] args) throws InterruptedException {
        var database = DatabaseConfig.of(args[0], args[1], args[2]);
        if (args.length > 5) {
            System.setProperty("javax.net.ssl.trustStore", args[5]);
            System.setProperty("javax.net.ssl.trustStorePassword", args[6]);
        }
        overSmtp(database, Integer.parseInt(args[3]), Tls.valueOf(args[4]));
        Thread.currentThread().join();
    }

    static MailNode overSmtp(DatabaseConfig database, int port, Tls tls) {
        return new MailNode(database, smtp(port, tls), Path.of("unused"));
    }

    static MailNode overSmtp(DatabaseConfig database, int port) {
        return overSmtp(database, port, Tls.NONE);
    }

    static MailNode of(DatabaseConfig database, MailConfig config) {
        return new MailNode(database, config, Path.of("unused"));
    }

    static MailNode intoFiles(DatabaseConfig database, Path folder, Limits limits) {
        return new MailNode(database, MailConfig.DEFAULT.withLimits(limits), folder);
    }

    static MailConfig smtp(int port, Tls tls) {
        return MailConfig.DEFAULT
                .withFrom("広場 <square@square.example>")
                .withSmtp(new Smtp("localhost", port, "", SecretText.of(""), tls))
                .withLimits(UNLIMITED);
    }

    Mailer mailer() {
        return mailer;
    }

    Db db() {
        return db;
    }

    void send(NewMail mail) {
        db.useTransaction(tx -> mailer.send(tx, mail));
    }

    double count(String meter) {
        return meters.get(meter).counter().count();
    }

    double waitingSeconds() {
        return meters.get("hiroba.mails.waiting").gauge().value();
    }

    @Override
    public void close() {
        mailer.close();
        lease.close();
        db.close();
    }
}
