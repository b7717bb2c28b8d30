package io.hiroba.inbox;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.problem.Problem.Kind;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** The problems of the inbox. */
public final class InboxProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private InboxProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "inbox." + code, detail, fields);
    }

    private InboxProblem(Kind kind, String code, String detail) {
        super(kind, "inbox." + code, detail);
    }

    public static InboxProblem invalid(String field, Text message) {
        return new InboxProblem(Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    public static InboxProblem invalid(String field, String message) {
        return invalid(field, Text.verbatim(message));
    }

    public static InboxProblem identityTaken() {
        return new InboxProblem(
                Kind.CONFLICT,
                "identity-taken",
                "Another user has linked this account. If it is yours, ask an admin to assign it to you.");
    }

    public static InboxProblem identityNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "identity-not-found", "Identity not found.");
    }

    public static InboxProblem tooManyIdentities(int max) {
        return new InboxProblem(
                Kind.CONFLICT,
                "too-many-identities",
                "You have reached the limit of %d identities. Delete one first.".formatted(max));
    }

    public static InboxProblem operatorsOnly() {
        return new InboxProblem(Kind.FORBIDDEN, "operators-only", "Only operators and admins may do this.");
    }

    public static InboxProblem unknownUser(String who) {
        return new InboxProblem(
                Kind.NOT_FOUND, "user-not-found", "No user has the id or e-mail address `%s`.".formatted(who));
    }

    public static InboxProblem turnedOff() {
        return new InboxProblem(
                Kind.CONFLICT, "turned-off", "Your preferences turn such items off. Turn them on first.");
    }

    public static InboxProblem keyTaken() {
        return new InboxProblem(Kind.CONFLICT, "key-taken", "You have already added this key.");
    }

    public static InboxProblem keyNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "key-not-found", "Key not found.");
    }

    public static InboxProblem tooManyKeys(int max) {
        return new InboxProblem(
                Kind.CONFLICT, "too-many-keys", "You have reached the limit of %d keys.".formatted(max));
    }

    public static InboxProblem itemNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "item-not-found", "Item not found in your inbox.");
    }

    public static InboxProblem itemsNotFound(Collection<ItemId> ids) {
        return new InboxProblem(
                Kind.NOT_FOUND,
                "item-not-found",
                "Nothing was changed, because these items are not in your inbox: %s."
                        .formatted(ids.stream().map(ItemId::hex).sorted().collect(Collectors.joining(", "))));
    }

    public static InboxProblem alreadyPending() {
        return new InboxProblem(
                Kind.CONFLICT,
                "already-pending",
                "The same was requested of you again: that item is in your inbox, so this one stays done.");
    }

    public static InboxProblem doneAlready() {
        return new InboxProblem(
                Kind.CONFLICT, "item-done", "Items that are done cannot be snoozed. Restore them first.");
    }

    public static InboxProblem resourceNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "resource-not-found", "Resource not found. Create it first.");
    }

    public static InboxProblem namespaceNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "namespace-not-found", "Namespace not found.");
    }

    public static InboxProblem userNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "user-not-found", "User not found.");
    }

    public static InboxProblem connectionNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "connection-not-found", "Connection not found.");
    }

    public static InboxProblem deliveryNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "delivery-not-found", "Delivery not found.");
    }

    /** The same problem for an unknown connection, so that their ids cannot be probed. */
    public static InboxProblem wrongSecret() {
        return new InboxProblem(
                Kind.UNAUTHENTICATED, "wrong-secret", "X-Gitlab-Token is not the secret of this connection.");
    }

    public static InboxProblem connectionDisabled() {
        return new InboxProblem(Kind.FORBIDDEN, "connection-disabled", "This connection is disabled.");
    }

    public static InboxProblem notJson() {
        return new InboxProblem(Kind.INVALID, "not-json", "The body must be a JSON object.");
    }

    public static InboxProblem stillWaiting() {
        return new InboxProblem(
                Kind.CONFLICT, "still-waiting", "This delivery is still being handled. Wait until it is done.");
    }
}
