package io.hiroba.demo;

import io.hiroba.accounts.AccountsConfig;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Passwords;
import io.hiroba.accounts.Revocations;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.ai.AiModels;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.id.WorkerLease;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/** A process that fills the demo and dies in the middle of it, without a word. */
final class DemoNode {

    private DemoNode() {}

    /** Arguments: url, user and password of the database, the present, the admin's address, the last act. */
    public static void main(String[] args) {
        var db = Db.open(DatabaseConfig.of(args[0], args[1], args[2]));
        var clock = Clock.fixed(Instant.parse(args[3]), ZoneOffset.UTC);
        var ids = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30)).ids();
        var audit = new AuditLog(db, ids);
        var events = new EventLog(new CommitSignal());
        var credentials = new Credentials(db, new Passwords(new AccountsConfig.Hashing(64, 1, 1, 4)));
        var users = new Users(db, ids, clock, events, audit, new Revocations());
        int last = Integer.parseInt(args[5]);
        new Demo(db, db, clock, events, users, credentials, new AiModels(db, clock, audit))
                .fill(new Email(args[4]), (acts, all) -> {
                    if (acts == last) {
                        Runtime.getRuntime().halt(9);
                    }
                });
    }
}
