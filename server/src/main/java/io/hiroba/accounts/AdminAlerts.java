package io.hiroba.accounts;

import io.hiroba.accounts.AuditStore.NewEntry;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.NewMail;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tells all admins by mail of what may be an attack: many wrong passwords within an hour, over all accounts and nodes, and
 * somebody who becomes an admin.
 */
final class AdminAlerts {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Throttle.Limit ONCE_AN_HOUR = new Throttle.Limit(1, HOUR);

    private final Db db;
    private final Users users;
    private final Throttle throttle;
    private final Mailer mailer;
    private final int failures;
    private final UserStore store = new UserStore();

    /** @param failures the wrong passwords an hour that are nothing unusual; 0 if nobody wants to know */
    AdminAlerts(Db db, Users users, Throttle throttle, Mailer mailer, int failures) {
        this.db = db;
        this.users = users;
        this.throttle = throttle;
        this.mailer = mailer;
        this.failures = failures;
    }

    /** Counts a log-in that failed; the one too many is told, and no other for an hour. */
    void failed() {
        if (failures > 0
                && !throttle.check("alert:failures", new Throttle.Limit(failures, HOUR))
                        .allowed()
                && throttle.check("alert:failures:told", ONCE_AN_HOUR).allowed()) {
            db.useTransaction(tx ->
                    tell(tx, null, (language, email) -> VerificationMails.manyFailures(language, email, failures)));
        }
    }

    /** Sees what is put on the audit log. The person who becomes an admin is not told. */
    void recorded(Tx tx, NewEntry entry) {
        var subject = entry.target().subject();
        if (entry.action() == AuditLog.Action.ADMIN_GRANTED && subject != null) {
            users.find(tx, subject)
                    .ifPresent(profile -> tell(
                            tx,
                            subject,
                            (language, email) -> VerificationMails.adminGranted(
                                    language, email, profile.user().nickname())));
        }
    }

    private void tell(Tx tx, @Nullable UserId but, BiFunction<Language, Email, NewMail> mail) {
        for (var admin : store.admins(tx)) {
            if (!admin.equals(but)) {
                users.find(tx, admin)
                        .ifPresent(profile -> mailer.sendWithoutFail(
                                tx,
                                mail.apply(
                                        users.language(tx, admin),
                                        profile.user().email())));
            }
        }
    }
}
