package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.FieldReader.Range;
import io.hiroba.saga.workflow.SourceNode.Items;
import io.hiroba.saga.workflow.SourceNode.Scalar;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the approval of a step. */
final class ApprovalReader {

    static final int MAX_ASSIGNEES = 100;

    private static final Range DEADLINE = new Range(Duration.ofMillis(1), Duration.ofDays(366));
    private static final Pattern TITLE = Pattern.compile("(?=.*\\S).{1,300}");
    private static final Pattern TEXT = Pattern.compile("(?s).{0,20000}");
    private static final Pattern ROLE = Pattern.compile("role:(auditor|operator|admin)");
    private static final Text TITLE_RULE = Text.of("saga.definition.line", "max", 300);

    private final @Nullable FieldReader keys;
    private final Set<String> earlier;
    private @Nullable Duration deadline;

    /** @param keys null where the approval is no object, which is an error already */
    ApprovalReader(@Nullable FieldReader keys, Set<String> earlier) {
        this.keys = keys;
        this.earlier = earlier;
    }

    /** The time limit, once it is read; null for none. */
    @Nullable
    Duration deadline() {
        return deadline;
    }

    Step.Approval read() {
        if (keys == null) {
            return new Step.Approval(nobody(), "", "", List.of(), 1, null, null);
        }
        var assignees = people(keys, "assignees");
        var title = keys.requiredText("title", TITLE, TITLE_RULE);
        var text = keys.text("text", TEXT, Text.of("saga.definition.text-length", "max", 20_000));
        checkReferences(keys, "title", title);
        checkReferences(keys, "text", text);
        var quorum = keys.integer("quorum", "quorum", 1, MAX_ASSIGNEES);
        if (quorum != null && assignees != null && cannotReach(assignees, quorum)) {
            keys.error("quorum", Text.of("saga.definition.quorum"));
        }
        deadline = keys.duration("deadline", "deadline_secs", Duration.ofSeconds(1), DEADLINE);
        var reminder = keys.duration("reminder", "reminder_secs", Duration.ofSeconds(1), DEADLINE);
        if (keys.has("reminder") && (deadline == null || (reminder != null && reminder.compareTo(deadline) >= 0))) {
            keys.error("reminder", Text.of("saga.definition.reminder"));
        }
        var escalateTo = keys.has("escalateTo") ? people(keys, "escalateTo") : null;
        if (escalateTo != null && !keys.has("reminder")) {
            keys.error("escalateTo", Text.of("saga.definition.escalation"));
        }
        var form = FormFieldReader.form(keys);
        keys.rejectUnknown();
        return new Step.Approval(
                assignees == null ? nobody() : assignees,
                title,
                text == null ? "" : text,
                form,
                quorum == null ? 1 : quorum,
                reminder,
                escalateTo);
    }

    /** Whether fewer people are named than have to approve; roles and references may bring any number. */
    private static boolean cannotReach(InputMapping assignees, int quorum) {
        var names =
                assignees.template().valueStream().map(JsonNode::stringValue).collect(Collectors.toSet());
        return !names.isEmpty()
                && names.size() < quorum
                && names.stream().noneMatch(name -> InputMapping.isResolved(name) || name.startsWith("role:"));
    }

    private static InputMapping nobody() {
        return new InputMapping(JsonMapper.shared().createArrayNode());
    }

    /** A list of texts, or one reference or expression that yields such a list. */
    private @Nullable InputMapping people(FieldReader of, String key) {
        var node = of.find(key);
        boolean one = node instanceof Scalar scalar && isReference(scalar);
        boolean list = node instanceof Items items
                && !items.items().isEmpty()
                && items.items().size() <= MAX_ASSIGNEES
                && items.items().stream().allMatch(ApprovalReader::isPerson);
        if (node == null || !(one || list)) {
            of.error(key, Text.of("saga.definition.assignees", "max", MAX_ASSIGNEES));
            return null;
        }
        return new InputReader(of, key, earlier, "").read(node);
    }

    private static boolean isReference(Scalar scalar) {
        return scalar.json().isString() && InputMapping.isResolved(scalar.json().stringValue());
    }

    /** Whether there is such a person is asked when the workflow is registered. */
    private static boolean isPerson(SourceNode node) {
        if (!(node instanceof Scalar scalar) || !scalar.json().isString()) {
            return false;
        }
        var text = scalar.json().stringValue();
        return !text.isBlank()
                && (text.length() <= 320 || InputMapping.isExpression(text))
                && (!text.startsWith("role:") || ROLE.matcher(text).matches());
    }

    private void checkReferences(FieldReader of, String key, @Nullable String text) {
        var node = of.find(key);
        if (node != null && text != null) {
            new InputReader(of, key, earlier, "").checkText(node, text);
        }
    }
}
