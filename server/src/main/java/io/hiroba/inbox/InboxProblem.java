package io.hiroba.inbox;

import io.hiroba.platform.problem.Problem;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** What can go wrong with items and what they are about. */
public final class InboxProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private InboxProblem(Kind kind, String code, String detail) {
        super(kind, "inbox." + code, detail);
    }

    private InboxProblem(String field, String message) {
        super(
                Kind.INVALID,
                "inbox.invalid",
                "`%s` %s.".formatted(field, message),
                List.of(new FieldError(field, message)));
    }

    public static InboxProblem invalid(String field, String message) {
        return new InboxProblem(field, message);
    }

    public static InboxProblem identityTaken() {
        return new InboxProblem(
                Kind.CONFLICT,
                "identity-taken",
                "Somebody else has this name. If it is yours, ask an admin of Hiroba to give it to you.");
    }

    public static InboxProblem identityNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "identity-not-found", "There is no such identity.");
    }

    public static InboxProblem tooManyIdentities(int most) {
        return new InboxProblem(
                Kind.CONFLICT,
                "too-many-identities",
                "You have %d identities, and that is the most: delete one first.".formatted(most));
    }

    public static InboxProblem operatorsOnly() {
        return new InboxProblem(Kind.FORBIDDEN, "operators-only", "Only operators and admins may do this.");
    }

    public static InboxProblem unknownUser(String who) {
        return new InboxProblem(
                Kind.NOT_FOUND,
                "user-not-found",
                "There is no user with the id or e-mail address `%s`.".formatted(who));
    }

    public static InboxProblem turnedOff() {
        return new InboxProblem(
                Kind.CONFLICT, "turned-off", "Your preferences say that you want no such items: turn them on first.");
    }

    public static InboxProblem keyTaken() {
        return new InboxProblem(Kind.CONFLICT, "key-taken", "You have added this key before.");
    }

    public static InboxProblem keyNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "key-not-found", "You have no such key.");
    }

    public static InboxProblem tooManyKeys(int most) {
        return new InboxProblem(
                Kind.CONFLICT, "too-many-keys", "You have %d keys, and that is the most.".formatted(most));
    }

    public static InboxProblem itemNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "item-not-found", "There is no such item in your inbox.");
    }

    /** Some of several: nothing has been changed. */
    public static InboxProblem itemsNotFound(Collection<ItemId> ids) {
        return new InboxProblem(
                Kind.NOT_FOUND,
                "item-not-found",
                "Nothing has been changed, for these are no items in your inbox: %s."
                        .formatted(ids.stream().map(ItemId::hex).sorted().collect(Collectors.joining(", "))));
    }

    public static InboxProblem alreadyPending() {
        return new InboxProblem(
                Kind.CONFLICT,
                "already-pending",
                "The same has been asked of you again since: that item is in your inbox, so this one stays done.");
    }

    public static InboxProblem doneAlready() {
        return new InboxProblem(Kind.CONFLICT, "item-done", "What is done cannot be snoozed: restore it first.");
    }

    public static InboxProblem resourceNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "resource-not-found", "There is no such resource: make it first.");
    }

    public static InboxProblem namespaceNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "namespace-not-found", "There is no such namespace.");
    }

    public static InboxProblem userNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "user-not-found", "There is no such user.");
    }

    public static InboxProblem connectionNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "connection-not-found", "There is no such connection.");
    }

    public static InboxProblem deliveryNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "delivery-not-found", "There is no such delivery.");
    }

    /** The same for a connection that is not there: nobody learns which there are. */
    public static InboxProblem wrongSecret() {
        return new InboxProblem(
                Kind.UNAUTHENTICATED, "wrong-secret", "X-Gitlab-Token is not the secret of this connection.");
    }

    public static InboxProblem connectionDisabled() {
        return new InboxProblem(Kind.FORBIDDEN, "connection-disabled", "This connection takes nothing at present.");
    }

    public static InboxProblem notJson() {
        return new InboxProblem(Kind.INVALID, "not-json", "The body must be a JSON object.");
    }

    public static InboxProblem stillWaiting() {
        return new InboxProblem(Kind.CONFLICT, "still-waiting", "This delivery is being handled: wait for it.");
    }
}
