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

    /** Events after the cursor may have been deleted. */
    static WebhooksProblem cursorExpired(Duration retention) {
        return new WebhooksProblem(Kind.GONE, "cursor-expired", "days", retention.toDays());
    }
}
