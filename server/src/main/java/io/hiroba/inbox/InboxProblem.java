package io.hiroba.inbox;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.problem.Problem.Kind;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The problems of the inbox. */
public final class InboxProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private InboxProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "inbox." + code, detail, fields);
    }

    private InboxProblem(Kind kind, String code, Object... arguments) {
        this(kind, code, Text.of("inbox.problem." + code, arguments), List.of());
    }

    public static InboxProblem invalid(String field, Text message) {
        return new InboxProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    /** The problem of a field that takes only these values. */
    public static InboxProblem notOneOf(String field, Stream<String> values) {
        return invalid(field, Text.of("http.field.one-of", "values", values.collect(Collectors.joining(", "))));
    }

    public static InboxProblem identityTaken() {
        return new InboxProblem(Kind.CONFLICT, "identity-taken");
    }

    public static InboxProblem identityNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "identity-not-found");
    }

    public static InboxProblem tooManyIdentities(int max) {
        return new InboxProblem(Kind.CONFLICT, "too-many-identities", "max", max);
    }

    public static InboxProblem operatorsOnly() {
        return new InboxProblem(Kind.FORBIDDEN, "operators-only");
    }

    public static InboxProblem unknownUser(String who) {
        return new InboxProblem(
                Kind.NOT_FOUND, "user-not-found", Text.of("inbox.problem.no-such-user", "user", who), List.of());
    }

    public static InboxProblem turnedOff() {
        return new InboxProblem(Kind.CONFLICT, "turned-off");
    }

    public static InboxProblem keyTaken() {
        return new InboxProblem(Kind.CONFLICT, "key-taken");
    }

    public static InboxProblem keyNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "key-not-found");
    }

    public static InboxProblem tooManyKeys(int max) {
        return new InboxProblem(Kind.CONFLICT, "too-many-keys", "max", max);
    }

    public static InboxProblem itemNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "item-not-found");
    }

    public static InboxProblem itemsNotFound(Collection<ItemId> ids) {
        var items = ids.stream().map(ItemId::hex).sorted().collect(Collectors.joining(", "));
        return new InboxProblem(
                Kind.NOT_FOUND, "item-not-found", Text.of("inbox.problem.items-not-found", "items", items), List.of());
    }

    public static InboxProblem alreadyPending() {
        return new InboxProblem(Kind.CONFLICT, "already-pending");
    }

    public static InboxProblem doneAlready() {
        return new InboxProblem(Kind.CONFLICT, "item-done");
    }

    public static InboxProblem notAnApproval() {
        return new InboxProblem(Kind.CONFLICT, "not-an-approval");
    }

    public static InboxProblem resourceNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "resource-not-found");
    }

    public static InboxProblem namespaceNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "namespace-not-found");
    }

    public static InboxProblem userNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "user-not-found");
    }

    public static InboxProblem connectionNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "connection-not-found");
    }

    public static InboxProblem deliveryNotFound() {
        return new InboxProblem(Kind.NOT_FOUND, "delivery-not-found");
    }

    /** The same problem for an unknown connection, so that their ids cannot be probed. */
    public static InboxProblem wrongSecret() {
        return new InboxProblem(Kind.UNAUTHENTICATED, "wrong-secret");
    }

    public static InboxProblem connectionDisabled() {
        return new InboxProblem(Kind.FORBIDDEN, "connection-disabled");
    }

    public static InboxProblem notJson() {
        return new InboxProblem(Kind.INVALID, "not-json");
    }

    public static InboxProblem stillWaiting() {
        return new InboxProblem(Kind.CONFLICT, "still-waiting");
    }
}
