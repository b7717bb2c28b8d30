package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Throttle;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records log-ins that failed, the first few an hour of each account. Addresses without an account share a fixed number of
 * allowances, so that nobody fills the disk with invented ones, and what was typed is not kept. It happens asynchronously to the
 * request, whose time would otherwise tell which accounts exist.
 */
final class FailedLogIns {

    private static final Logger log = LoggerFactory.getLogger(FailedLogIns.class);
    private static final Throttle.Limit RECORDED = new Throttle.Limit(10, Duration.ofHours(1));
    private static final int UNKNOWN_ALLOWANCES = 16;

    private final Db db;
    private final Throttle throttle;
    private final AuditLog audit;
    private final UserStore users = new UserStore();

    private final AdminAlerts alerts;

    FailedLogIns(Db db, Throttle throttle, AuditLog audit, AdminAlerts alerts) {
        this.alerts = alerts;
        this.db = db;
        this.throttle = throttle;
        this.audit = audit;
    }

    void record(ClientInfo client, Email email) {
        Thread.ofVirtual().name("failed log-in").start(() -> {
            try {
                write(client, email);
            } catch (RuntimeException e) {
                log.warn("a failed log-in was not recorded", e);
            }
        });
    }

    void write(ClientInfo client, Email email) {
        alerts.failed();
        var user = db.read(reads -> users.findByEmail(reads, email));
        var account = user.map(UserId::hex)
                .orElseGet(() -> "unknown " + Math.floorMod(email.value().hashCode(), UNKNOWN_ALLOWANCES));
        if (throttle.check("audit:failures:" + account, RECORDED).allowed()) {
            var target = user.map(AuditLog.Target::of).orElse(AuditLog.Target.NONE);
            db.useTransaction(tx -> audit.record(tx, null, client.origin(), AuditLog.Action.LOG_IN_FAILED, target));
        }
    }
}
