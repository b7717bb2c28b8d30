package io.hiroba.accounts;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.List;

/** The problems of accounts, sessions, tokens and codes. */
public final class AccountsProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private AccountsProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "accounts." + code, detail, fields);
    }

    private AccountsProblem(Kind kind, String code, String detail, Duration retryAfter) {
        super(kind, "accounts." + code, detail, retryAfter);
    }

    private AccountsProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, Duration.ZERO);
    }

    public static AccountsProblem invalid(String field, Text message) {
        return new AccountsProblem(Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    public static AccountsProblem invalid(String field, String message) {
        return invalid(field, Text.verbatim(message));
    }

    public static AccountsProblem notSignedIn() {
        return new AccountsProblem(Kind.UNAUTHENTICATED, "not-signed-in", "Sign in, or send a valid API token.");
    }

    /** One answer for an unknown address and for a wrong password. */
    public static AccountsProblem wrongPassword() {
        return new AccountsProblem(
                Kind.UNAUTHENTICATED, "wrong-password", "The e-mail address or the password is wrong.");
    }

    public static AccountsProblem wrongCurrentPassword() {
        return new AccountsProblem(Kind.FORBIDDEN, "wrong-current-password", "The current password is wrong.");
    }

    public static AccountsProblem adminOnly() {
        return new AccountsProblem(Kind.FORBIDDEN, "admin-only", "Only an admin can do this.");
    }

    public static AccountsProblem notYours() {
        return new AccountsProblem(Kind.FORBIDDEN, "not-yours", "Only the owner or an admin can do this.");
    }

    public static AccountsProblem acting() {
        return new AccountsProblem(
                Kind.FORBIDDEN,
                "acting",
                "You cannot change roles, passwords, addresses or tokens while you act as another user.");
    }

    public static AccountsProblem ownEmail() {
        return new AccountsProblem(
                Kind.FORBIDDEN, "own-email", "To change your own address, verify the new one with a code.");
    }

    /** Stops a start that would leave no admin. */
    static AccountsProblem adminNotCreated(Email email) {
        return new AccountsProblem(
                Kind.CONFLICT,
                "admin-not-made",
                "There is no admin, and `admin.email` is %s, the address of a user who is no admin: set an address without an account."
                        .formatted(email));
    }

    public static AccountsProblem sessionRequired() {
        return new AccountsProblem(
                Kind.FORBIDDEN, "session-required", "This needs a session: sign in with e-mail and password.");
    }

    public static AccountsProblem userNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "user-not-found", "There is no such user.");
    }

    public static AccountsProblem sessionNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "session-not-found", "There is no such session.");
    }

    public static AccountsProblem tokenNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "token-not-found", "There is no such token.");
    }

    public static AccountsProblem aiModelNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "ai-model-not-found", "There is no such AI model.");
    }

    public static AccountsProblem aiActionNotFound() {
        return new AccountsProblem(Kind.NOT_FOUND, "ai-action-not-found", "There is no such action.");
    }

    public static AccountsProblem emailTaken() {
        return new AccountsProblem(
                Kind.CONFLICT, "email-taken", "There is already an account with this e-mail address.");
    }

    public static AccountsProblem lastAdmin() {
        return new AccountsProblem(
                Kind.CONFLICT, "last-admin", "This is the last admin: make another user an admin first.");
    }

    public static AccountsProblem tooManyTokens(int limit) {
        return new AccountsProblem(
                Kind.CONFLICT, "too-many-tokens", "You have %d tokens: revoke one first.".formatted(limit));
    }

    public static AccountsProblem codeWrong(int left) {
        return new AccountsProblem(Kind.INVALID, "code-wrong", "The code is wrong. Attempts left: %d.".formatted(left));
    }

    public static AccountsProblem codeExpired() {
        return new AccountsProblem(
                Kind.INVALID, "code-expired", "The code has expired or was already used. Request a new one.");
    }

    public static AccountsProblem tooManyAttempts() {
        return new AccountsProblem(Kind.FORBIDDEN, "too-many-attempts", "Too many wrong codes. Request a new one.");
    }

    public static AccountsProblem tooOften(Duration wait) {
        return new AccountsProblem(Kind.RATE_LIMITED, "too-often", "Too many attempts. Try again later.", wait);
    }

    public static AccountsProblem busy() {
        return new AccountsProblem(Kind.UNAVAILABLE, "busy", "Too many sign-ins at the moment. Try again shortly.");
    }
}
