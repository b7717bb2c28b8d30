package io.hiroba.accounts;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The problems of accounts, sessions, tokens and codes. */
public final class AccountsProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private static final DateTimeFormatter UNTIL =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private AccountsProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "accounts." + code, detail, fields);
    }

    private AccountsProblem(Kind kind, String code, Duration retryAfter) {
        super(kind, "accounts." + code, Text.of("accounts.problem." + code), retryAfter);
    }

    private AccountsProblem(Kind kind, String code, Object... arguments) {
        super(kind, "accounts." + code, Text.of("accounts.problem." + code, arguments));
    }

    public static AccountsProblem invalid(String field, Text message) {
        return new AccountsProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    public static AccountsProblem notSignedIn() {
        return new AccountsProblem(Kind.UNAUTHENTICATED, "not-signed-in");
    }

    /** One answer for an unknown address and for a wrong password. */
    public static AccountsProblem wrongPassword() {
        return new AccountsProblem(Kind.UNAUTHENTICATED, "wrong-password");
    }

    public static AccountsProblem wrongCurrentPassword() {
        return new AccountsProblem(Kind.FORBIDDEN, "wrong-current-password");
    }

    public static AccountsProblem passwordRequired() {
        return new AccountsProblem(Kind.FORBIDDEN, "password-required");
    }

    public static AccountsProblem scopeRequired(TokenScope scope) {
        return new AccountsProblem(Kind.FORBIDDEN, "scope-required", "scope", scope.code());
    }

    public static AccountsProblem adminOnly() {
        return new AccountsProblem(Kind.FORBIDDEN, "admin-only");
    }

    public static AccountsProblem notYours() {
        return new AccountsProblem(Kind.FORBIDDEN, "not-yours");
    }

    public static AccountsProblem acting() {
        return new AccountsProblem(Kind.FORBIDDEN, "acting");
    }

    public static AccountsProblem ownEmail() {
        return new AccountsProblem(Kind.FORBIDDEN, "own-email");
    }

    /** Stops a start that would leave no admin. */
    static AccountsProblem adminNotCreated(Email email) {
        return new AccountsProblem(Kind.CONFLICT, "admin-not-made", "email", email);
    }

    public static AccountsProblem sessionRequired() {
        return new AccountsProblem(Kind.FORBIDDEN, "session-required");
    }

    public static AccountsProblem userNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "user-not-found");
    }

    public static AccountsProblem sessionNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "session-not-found");
    }

    public static AccountsProblem tokenNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "token-not-found");
    }

    static AccountsProblem appNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "app-not-found");
    }

    /** Nobody is sent on to an address that the app did not register. */
    static AccountsProblem unknownApp() {
        return new AccountsProblem(Kind.INVALID, "unknown-app");
    }

    public static AccountsProblem aiModelNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "ai-model-not-found");
    }

    public static AccountsProblem aiActionNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "ai-action-not-found");
    }

    public static AccountsProblem emailTaken() {
        return new AccountsProblem(Kind.CONFLICT, "email-taken");
    }

    static AccountsProblem nicknameOfAgent() {
        return new AccountsProblem(Kind.CONFLICT, "nickname-of-agent");
    }

    static AccountsProblem nicknameOfPerson(Nickname nickname) {
        return new AccountsProblem(Kind.CONFLICT, "nickname-of-person", "name", nickname);
    }

    static AccountsProblem nicknameReserved(Nickname nickname) {
        return new AccountsProblem(Kind.CONFLICT, "nickname-reserved", "name", nickname);
    }

    public static AccountsProblem lastAdmin() {
        return new AccountsProblem(Kind.CONFLICT, "last-admin");
    }

    /** An account whose password was right. */
    static AccountsProblem suspended(Optional<Instant> until) {
        var detail = until.map(end -> Text.of("accounts.problem.suspended-until", "until", UNTIL.format(end)))
                .orElseGet(() -> Text.of("accounts.problem.suspended"));
        return new AccountsProblem(Kind.FORBIDDEN, "suspended", detail, List.of());
    }

    public static AccountsProblem ownSuspension() {
        return new AccountsProblem(Kind.CONFLICT, "own-suspension");
    }

    public static AccountsProblem notSuspended() {
        return new AccountsProblem(Kind.CONFLICT, "not-suspended");
    }

    /** An account that nobody can act as. */
    static AccountsProblem userSuspended() {
        return new AccountsProblem(Kind.CONFLICT, "user-suspended");
    }

    public static AccountsProblem tooManyTokens(int limit) {
        return new AccountsProblem(Kind.CONFLICT, "too-many-tokens", "max", limit);
    }

    public static AccountsProblem codeWrong(int left) {
        return new AccountsProblem(Kind.INVALID, "code-wrong", "left", left);
    }

    public static AccountsProblem codeExpired() {
        return new AccountsProblem(Kind.INVALID, "code-expired");
    }

    public static AccountsProblem tooManyAttempts() {
        return new AccountsProblem(Kind.FORBIDDEN, "too-many-attempts");
    }

    public static AccountsProblem tooOften(Duration wait) {
        return new AccountsProblem(Kind.RATE_LIMITED, "too-often", wait);
    }

    /** One answer for known and unknown addresses. */
    public static AccountsProblem tooManyFailures(Duration wait) {
        return new AccountsProblem(Kind.RATE_LIMITED, "too-many-failures", wait);
    }

    /** Says which codes the account takes. */
    static AccountsProblem secondFactorRequired(boolean hasApp) {
        var accepted = Text.of(hasApp ? "accounts.field.code-or-recovery" : "accounts.field.recovery-code");
        return new AccountsProblem(
                Kind.UNAUTHENTICATED,
                "second-factor-required",
                Text.of("accounts.problem.second-factor-required"),
                List.of(new FieldError("code", accepted)));
    }

    static AccountsProblem wrongSecondFactor() {
        return new AccountsProblem(Kind.UNAUTHENTICATED, "wrong-second-factor");
    }

    static AccountsProblem secondFactorNotSetUp() {
        return new AccountsProblem(Kind.FORBIDDEN, "second-factor-not-set-up");
    }

    static AccountsProblem secondFactorNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "second-factor-not-found");
    }

    static AccountsProblem appExists() {
        return new AccountsProblem(Kind.CONFLICT, "app-exists");
    }

    static AccountsProblem ownSecondFactors() {
        return new AccountsProblem(Kind.FORBIDDEN, "own-second-factors");
    }

    static AccountsProblem passkeysUnavailable() {
        return new AccountsProblem(Kind.UNPROCESSABLE, "passkeys-unavailable");
    }

    static AccountsProblem passkeyNotAdded() {
        return new AccountsProblem(Kind.INVALID, "passkey-not-added");
    }

    static AccountsProblem tooManyPasskeys(int limit) {
        return new AccountsProblem(Kind.CONFLICT, "too-many-passkeys", "max", limit);
    }

    static AccountsProblem passkeyRefused() {
        return new AccountsProblem(Kind.UNAUTHENTICATED, "passkey-refused");
    }

    /** The signature counter went backwards: there may be two of what should be one. */
    static AccountsProblem passkeyCopied() {
        return new AccountsProblem(Kind.UNAUTHENTICATED, "passkey-copied");
    }

    static AccountsProblem logInExpired() {
        return new AccountsProblem(Kind.UNAUTHENTICATED, "log-in-expired");
    }

    public static AccountsProblem signUpClosed() {
        return new AccountsProblem(Kind.FORBIDDEN, "sign-up-closed");
    }

    public static AccountsProblem invitationRequired() {
        return new AccountsProblem(Kind.FORBIDDEN, "invitation-required");
    }

    /** One answer for an invitation that is unknown, used up, expired or revoked. */
    public static AccountsProblem invitationInvalid() {
        return new AccountsProblem(Kind.FORBIDDEN, "invitation-invalid");
    }

    public static AccountsProblem invitationNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "invitation-not-found");
    }

    /** A provider that is down or answers nonsense; the password still works. */
    static AccountsProblem oidcUnavailable(String provider) {
        return new AccountsProblem(Kind.UNAVAILABLE, "oidc-unavailable", "provider", provider);
    }

    /** One answer for all that does not hold, such as a state that was used before; the log says which. */
    static AccountsProblem oidcFailed(String provider) {
        return new AccountsProblem(Kind.FORBIDDEN, "oidc-failed", "provider", provider);
    }

    static AccountsProblem oidcExpired() {
        return new AccountsProblem(Kind.FORBIDDEN, "oidc-expired");
    }

    static AccountsProblem oidcUnknown() {
        return new AccountsProblem(Kind.NOT_FOUND, "oidc-unknown");
    }

    static AccountsProblem oidcUnverified(String provider) {
        return new AccountsProblem(Kind.FORBIDDEN, "oidc-unverified", "provider", provider);
    }

    static AccountsProblem oidcDomain(String domains) {
        return new AccountsProblem(Kind.FORBIDDEN, "oidc-domain", "domains", domains);
    }

    static AccountsProblem identityTaken() {
        return new AccountsProblem(Kind.CONFLICT, "identity-taken");
    }

    static AccountsProblem identityNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "identity-not-found");
    }

    static AccountsProblem identityLast() {
        return new AccountsProblem(Kind.CONFLICT, "identity-last");
    }

    /** Keeps an admin who acts as another user from taking along or ending what is theirs. */
    public static AccountsProblem ownDataOnly() {
        return new AccountsProblem(Kind.FORBIDDEN, "own-data-only");
    }

    static AccountsProblem exportNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "export-not-found");
    }

    static AccountsProblem exportRunning() {
        return new AccountsProblem(Kind.CONFLICT, "export-running");
    }

    static AccountsProblem exportNotReady() {
        return new AccountsProblem(Kind.CONFLICT, "export-not-ready");
    }

    static AccountsProblem exportUnavailable() {
        return new AccountsProblem(Kind.UNAVAILABLE, "export-unavailable");
    }

    public static AccountsProblem busy() {
        return new AccountsProblem(Kind.UNAVAILABLE, "busy");
    }

    /** The former rotation of encryption keys is still under way. */
    static AccountsProblem rotationUnfinished() {
        return new AccountsProblem(Kind.CONFLICT, "rotation-unfinished");
    }

    /** A key that one node makes would be missing on the others. */
    static AccountsProblem rotationOfSeveralNodes() {
        return new AccountsProblem(Kind.CONFLICT, "rotation-of-several-nodes");
    }

    static AccountsProblem keyFileUnusable() {
        return new AccountsProblem(Kind.CONFLICT, "key-file-unusable");
    }
}
