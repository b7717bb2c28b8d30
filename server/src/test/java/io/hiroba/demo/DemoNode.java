package io.hiroba.demo;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Email;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestPlatform;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/** A process that fills the demo and dies in the middle of it, without a word. */
final class DemoNode {

    private DemoNode() {}

    /** Arguments: url, user and password of the database, the present, the admin's address, the last act. */
    public static void main(String[] args) {
        var database = DatabaseConfig.of(args[0], args[1], args[2]);
        var db = Db.open(database);
        var clock = Clock.fixed(Instant.parse(args[3]), ZoneOffset.UTC);
        var ids = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30)).ids();
        var mailer = new Mailer(
                db, ids, MailConfig.DEFAULT, Path.of(System.getProperty("java.io.tmpdir")), new SimpleMeterRegistry());
        var platform = TestPlatform.of(db, database, ids, clock, mailer, HttpConfig.onFreePort());
        var accounts = new AccountsModule(platform, TestAccounts.CONFIG);
        int last = Integer.parseInt(args[5]);
        new Demo(platform, accounts.users(), accounts.credentials(), accounts.aiModels())
                .fill(new Email(args[4]), (acts, all) -> {
                    if (acts == last) {
                        Runtime.getRuntime().halt(9);
                    }
                });
    }
}
