package io.hiroba.webhooks;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.List;

/** A problem with the feed of events or an outgoing webhook. */
final class WebhooksProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private WebhooksProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "webhooks." + code, detail, fields);
    }

    private WebhooksProblem(Kind kind, String code, Object... arguments) {
        this(kind, code, Text.of("webhooks.problem." + code, arguments), List.of());
    }

    static WebhooksProblem invalid(String field, Text message) {
        return new WebhooksProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    static WebhooksProblem notFound() {
        return new WebhooksProblem(Kind.NOT_FOUND, "not-found");
    }

    static WebhooksProblem deliveryNotFound() {
        return new WebhooksProblem(Kind.NOT_FOUND, "delivery-not-found");
    }

    static WebhooksProblem tooMany(int max) {
        return new WebhooksProblem(Kind.CONFLICT, "too-many", "max", max);
    }

    static WebhooksProblem disabled() {
        return new WebhooksProblem(Kind.CONFLICT, "disabled");
    }

    static WebhooksProblem paused() {
        return new WebhooksProblem(Kind.CONFLICT, "paused");
    }

    /** What a webhook is told goes by the rights of its owner, so an admin does not change that of another. */
    static WebhooksProblem ownerOnly() {
        return new WebhooksProblem(Kind.FORBIDDEN, "owner-only");
    }

    static WebhooksProblem scopeRequired(List<String> scopes) {
        return new WebhooksProblem(Kind.FORBIDDEN, "scope-required", "scopes", String.join(", ", scopes));
    }

    /** Events after the cursor may have been deleted. */
    static WebhooksProblem cursorExpired(Duration retention) {
        return new WebhooksProblem(Kind.GONE, "cursor-expired", "days", retention.toDays());
    }
}
