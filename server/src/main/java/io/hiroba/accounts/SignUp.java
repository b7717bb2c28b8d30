package io.hiroba.accounts;

import io.hiroba.accounts.PendingVerification.CodePurpose;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Signs people up, with a code that verifies their address. */
public final class SignUp {

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final AuditLog audit;
    private final VerificationCodes codes;
    private final SignUpRules rules;
    private final SignUpNotice notice;
    private final Invitations invitations;

    SignUp(
            Db db,
            Users users,
            Credentials credentials,
            AuditLog audit,
            VerificationCodes codes,
            AccountsConfig config,
            Invitations invitations) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.audit = audit;
        this.codes = codes;
        this.rules = config.signUp();
        this.notice = new SignUpNotice(config.noticeUrl());
        this.invitations = invitations;
    }

    /** The configuration of who can sign up. */
    public SignUpRules rules() {
        return rules;
    }

    /** The address of the notice that whoever signs up agrees to; empty if there is none. */
    public String noticeUrl() {
        return notice.url();
    }

    /** Sends a code. An address that has an account gets a mail that says so, and the answer is the same. */
    public CodeId start(ClientInfo client, Email email) {
        return start(client, email, Optional.empty());
    }

    /** As above, by an invitation if there is one; 403 if it is not valid any more. */
    public CodeId start(ClientInfo client, Email email, Optional<String> invitation) {
        var invited = invitation.map(invitations::requireOpen);
        invited.ifPresentOrElse(open -> open.requireFor(email), () -> rules.require(email));
        codes.admit(client, CodePurpose.SIGN_UP, email);
        return db.inTransaction(tx -> {
            var known = users.findByEmail(tx, email);
            var pending = new PendingVerification(CodeId.random(), CodePurpose.SIGN_UP, email, Optional.empty());
            codes.send(
                    tx,
                    pending,
                    code -> Optional.of(
                            known.isPresent()
                                    ? VerificationMails.accountExists(client.language(), email)
                                    : VerificationMails.signUp(client.language(), email, code)));
            invited.ifPresent(open -> invitations.attach(tx, open.id(), pending.id()));
            return pending.id();
        });
    }

    /** The minutes that a code is good for. */
    public int codeMinutes() {
        return codes.minutes();
    }

    /** Creates the account; {@code accounts.email-taken} if another sign-up with the address came first. */
    public UserId verify(CodeId id, String code, Nickname nickname, Password password, Preferences preferences) {
        notice.require(preferences);
        // Before the code is tried, so that a password that is refused costs no attempt.
        var invitation = db.read(reads -> invitations.attached(reads, id));
        codes.address(id, CodePurpose.SIGN_UP).ifPresent(email -> {
            if (invitation.isEmpty()) {
                rules.require(email);
            }
            credentials.policy().require(password, nickname, email);
        });
        var pending = codes.check(id, CodePurpose.SIGN_UP, code);
        var hash = credentials.hash(password);
        return db.inTransaction(tx -> {
            codes.use(tx, pending);
            var user = users.create(tx, pending.email(), nickname, hash, false);
            invitation.ifPresent(invited -> invitations.redeem(tx, invited, pending.email(), user));
            users.setPreferences(tx, user, preferences);
            notice.record(tx, user);
            audit.record(tx, user, AuditLog.Action.SIGNED_UP, user);
            return user;
        });
    }

    /** Creates the account of somebody who was invited by mail: having the link shows that the address is theirs. */
    public UserId accept(String invitation, Nickname nickname, Password password, Preferences preferences) {
        notice.require(preferences);
        var invited = invitations.requireOpen(invitation);
        var email = Optional.ofNullable(invited.email())
                .orElseThrow(() -> AccountsProblem.invalid("invitation", Text.of("accounts.field.invitation-is-link")));
        var hash = credentials.hashChosen(password, nickname, email);
        return db.inTransaction(tx -> {
            var user = users.create(tx, email, nickname, hash, false);
            invitations.redeem(tx, invited.id(), email, user);
            users.setPreferences(tx, user, preferences);
            notice.record(tx, user);
            audit.record(tx, user, AuditLog.Action.SIGNED_UP, user);
            return user;
        });
    }

    /**
     * The language and the time zone of a new account, as far as its browser or program tells them, and its consent.
     *
     * @param language null for none in particular
     * @param timeZone null for none in particular
     * @param consent whether they agreed to the notice
     */
    public record Preferences(
            @Nullable Language language, @Nullable ZoneId timeZone, boolean consent) {

        /** Those of somebody who was not asked to agree to anything. */
        public Preferences(@Nullable Language language, @Nullable ZoneId timeZone) {
            this(language, timeZone, false);
        }
    }
}
