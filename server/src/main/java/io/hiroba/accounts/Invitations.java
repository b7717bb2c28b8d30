package io.hiroba.accounts;

import io.hiroba.accounts.SignUpRules.SignUpMode;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.i18n.TextDirection;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.RetentionSweep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates, lists and revokes invitations, and counts their uses in the transactions of the sign-ups. */
public final class Invitations {

    public static final int MAX_USES = 100;

    private static final Duration DEFAULT_LIFETIME = Duration.ofDays(7);
    private static final Duration MAX_LIFETIME = Duration.ofDays(366);
    private static final Duration KEPT_AFTER_EXPIRY = Duration.ofDays(90);
    private static final Throttle.Limit OF_MEMBER = new Throttle.Limit(20, Duration.ofDays(1));
    private static final Throttle.Limit OF_ADMIN = new Throttle.Limit(500, Duration.ofDays(1));

    private final Platform platform;
    private final Db db;
    private final Clock clock;
    private final SignUpRules rules;
    private final Users users;
    private final AuditLog audit;
    private final InvitationStore store = new InvitationStore();

    Invitations(Platform platform, SignUpRules rules, Users users, AuditLog audit) {
        this.platform = platform;
        this.db = platform.db();
        this.clock = platform.clock();
        this.rules = rules;
        this.users = users;
        this.audit = audit;
    }

    /** Whether the caller can invite people: an admin, and where the configuration allows it everybody. */
    public boolean mayInvite(Caller caller) {
        return rules.mode() != SignUpMode.CLOSED && (caller.admin() || rules.memberInvitations());
    }

    /**
     * Creates an invitation. One that is for an address is mailed there, and nobody else learns its secret: using it shows that
     * one reads that mail.
     *
     * @param language of the mail
     */
    public IssuedInvitation create(Caller caller, Language language, NewInvitation wanted) {
        caller.requireNotActing();
        if (rules.mode() == SignUpMode.CLOSED) {
            throw AccountsProblem.signUpClosed();
        }
        if (!rules.memberInvitations()) {
            caller.requireAdmin();
        }
        var now = clock.instant();
        var expiresAt = expiry(wanted, now);
        var verdict = platform.throttle().check("invitations:" + caller.user(), caller.admin() ? OF_ADMIN : OF_MEMBER);
        if (!verdict.allowed()) {
            throw AccountsProblem.tooOften(verdict.retryAfter());
        }
        var secret = BearerSecret.random(BearerSecret.INVITATION);
        var id = new InvitationId(platform.ids().next());
        var invitation = new Invitation(
                id, caller.user(), wanted.email(), wanted.note(), wanted.maxUses(), 0, expiresAt, null, List.of());
        boolean hasAccount = db.inTransaction(tx -> {
            store.insert(tx, invitation, secret);
            audit.record(tx, caller, AuditLog.Action.INVITATION_CREATED, AuditLog.Target.named(detail(invitation)));
            var to = wanted.email();
            if (to == null) {
                return false;
            }
            var host = users.find(tx, caller.user()).orElseThrow(AccountsProblem::userNotFound);
            var link = Site.of(platform.http()).link(path(secret.text()));
            var mail = VerificationMails.invitation(language, to, host.user().nickname(), link, expiresAt);
            platform.mailer().send(tx, mail.withLifetime(Duration.between(now, expiresAt)));
            // Only admins can look up addresses.
            return caller.admin() && users.findByEmail(tx, to).isPresent();
        });
        return new IssuedInvitation(
                invitation, wanted.email() == null ? Optional.of(secret.text()) : Optional.empty(), hasAccount);
    }

    /** The path of the page that an invitation leads to. */
    public static String path(String secret) {
        return "/signup?invitation=" + secret;
    }

    private static Instant expiry(NewInvitation wanted, Instant now) {
        var given = wanted.expiresAt();
        // The column rounds to microseconds: rounding up would extend the lifetime.
        var expiresAt = (given == null ? now.plus(DEFAULT_LIFETIME) : given).truncatedTo(ChronoUnit.MICROS);
        if (!expiresAt.isAfter(now)) {
            throw AccountsProblem.invalid("expiresAt", Text.of("accounts.field.past"));
        }
        if (expiresAt.isAfter(now.plus(MAX_LIFETIME))) {
            throw AccountsProblem.invalid("expiresAt", Text.of("accounts.field.too-far"));
        }
        return expiresAt;
    }

    /** The newest invitations first: all for an admin, and their own for others. {@code before} is the last one seen. */
    public List<Invitation> list(Caller caller, Optional<InvitationId> before, int limit) {
        if (!rules.memberInvitations()) {
            caller.requireAdmin();
        }
        long bound = before.map(InvitationId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, caller.admin() ? null : caller.user(), bound, limit));
    }

    /** Lets an invitation end: the caller's own, or for an admin any. Accounts that were created with it stay. */
    public void revoke(Caller caller, InvitationId id) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            var revoked = store.revoke(tx, id, caller.admin() ? null : caller.user(), clock.instant());
            var detail = detail(revoked.orElseThrow(AccountsProblem::invitationNotFound));
            audit.record(tx, caller, AuditLog.Action.INVITATION_REVOKED, AuditLog.Target.named(detail));
        });
    }

    /** The invitation with this secret; one answer for those that are unknown, used up, expired or revoked. */
    public Invitation requireOpen(String secret) {
        if (rules.mode() == SignUpMode.CLOSED) {
            throw AccountsProblem.signUpClosed();
        }
        var typed = new BearerSecret(secret);
        return Optional.of(typed)
                .filter(given -> given.isWellFormed(BearerSecret.INVITATION))
                .flatMap(given -> db.read(reads -> store.findOpen(reads, given, clock.instant())))
                .orElseThrow(AccountsProblem::invitationInvalid);
    }

    /** Remembers which invitation a code was asked for with. */
    void attach(Tx tx, InvitationId id, CodeId code) {
        store.attach(tx, id, code);
    }

    /** The invitation that a code was asked for with. */
    Optional<InvitationId> attached(Reads reads, CodeId code) {
        return store.attached(reads, code);
    }

    /** Counts a use in the transaction of the sign-up; of two at once on the last use, the second fails. */
    void redeem(Tx tx, InvitationId id, Email email, UserId user) {
        if (rules.mode() == SignUpMode.CLOSED) {
            throw AccountsProblem.signUpClosed();
        }
        if (!store.use(tx, id, email, clock.instant())) {
            throw AccountsProblem.invitationInvalid();
        }
        store.insertUse(tx, id, user);
        platform.mailer().blankUsed(tx, email.value());
        audit.record(tx, user, AuditLog.Action.INVITATION_USED, id.hex());
    }

    /** Deletes invitations that expired a while ago. */
    void sweep() {
        RetentionSweep.run(limit ->
                db.inTransaction(tx -> store.deleteExpired(tx, clock.instant().minus(KEPT_AFTER_EXPIRY), limit)));
    }

    private static String detail(Invitation invitation) {
        var email = invitation.email();
        return email == null ? invitation.id().hex() : invitation.id().hex() + " " + email;
    }

    /** The id of an invitation. */
    public record InvitationId(long value) implements SnowflakeId {

        public static InvitationId parse(String hex) {
            return new InvitationId(Ids.parse(hex));
        }

        @Override
        public String toString() {
            return hex();
        }
    }

    /**
     * An invitation to create.
     *
     * @param email the only address that can use it, once; null for anybody who has the link
     * @param note for those who see the list
     * @param expiresAt null for in seven days
     */
    public record NewInvitation(
            @Nullable Email email,
            String note,
            int maxUses,
            @Nullable Instant expiresAt) {

        private static final int MAX_NOTE = 200;

        public NewInvitation {
            note = note.strip();
            if (note.codePointCount(0, note.length()) > MAX_NOTE
                    || note.codePoints().anyMatch(Character::isISOControl)) {
                throw AccountsProblem.invalid("note", Text.of("accounts.field.note", "max", MAX_NOTE));
            }
            if (TextDirection.isSet(note)) {
                throw AccountsProblem.invalid("note", Text.of("http.field.direction"));
            }
            if (maxUses < 1 || maxUses > (email == null ? MAX_USES : 1)) {
                throw AccountsProblem.invalid(
                        "uses", Text.of("accounts.field.uses", "max", email == null ? MAX_USES : 1));
            }
        }
    }

    /** An account that was created with an invitation. */
    public record InvitationUse(UserId user, Nickname nickname) {}

    /** An invitation, without its secret. */
    public record Invitation(
            InvitationId id,
            UserId createdBy,
            @Nullable Email email,
            String note,
            int maxUses,
            int uses,
            Instant expiresAt,
            @Nullable Instant revokedAt,
            List<InvitationUse> usedBy) {

        public Invitation {
            usedBy = List.copyOf(usedBy);
        }

        /** Whether somebody can still sign up with it. */
        public boolean isOpen(Instant now) {
            return revokedAt == null && uses < maxUses && expiresAt.isAfter(now);
        }

        /** Refuses another address than that which it is for. */
        void requireFor(Email given) {
            if (email != null && !email.equals(given)) {
                throw AccountsProblem.invalid("email", Text.of("accounts.field.email-not-invited"));
            }
        }
    }

    /**
     * An invitation that was just created, with its secret unless that was mailed.
     *
     * @param hasAccount whether the address has an account already, as an admin is told
     */
    public record IssuedInvitation(Invitation invitation, Optional<String> secret, boolean hasAccount) {

        @Override
        public String toString() {
            return "IssuedInvitation[" + invitation + "]";
        }
    }
}
