package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.SourceNode.Fields;
import io.hiroba.saga.workflow.SourceNode.Items;
import io.hiroba.saga.workflow.SourceNode.Scalar;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the input of a step, and checks that it refers to earlier steps only. */
final class InputReader {

    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\.(payload|steps\\.[A-Za-z0-9_-]+)(\\.[^.\\[\\]?]+|\\[[0-9]{1,6}\\])*+\\??");

    private static final Pattern ITEM_REFERENCE =
            Pattern.compile("\\$\\.(item|index)(\\.[^.\\[\\]?]+|\\[[0-9]{1,6}\\])*+\\??");

    private static final int MAX_SHOWN_LENGTH = 100;

    private final FieldReader keys;
    private final String key;
    private final Set<String> earlier;
    private final String own;
    private boolean items;

    /** @param own the step itself, where its answer may be used too; else empty */
    InputReader(FieldReader keys, String key, Set<String> earlier, String own) {
        this.keys = keys;
        this.key = key;
        this.earlier = earlier;
        this.own = own;
    }

    /** Allows references to the element of a list and to its index. */
    InputReader ofItems() {
        items = true;
        return this;
    }

    InputMapping read(SourceNode node) {
        check(node);
        return new InputMapping(node.json());
    }

    private void check(SourceNode node) {
        switch (node) {
            case Fields fields -> fields.fields().values().forEach(field -> check(field.value()));
            case Items items -> items.items().forEach(this::check);
            case Scalar scalar -> {
                if (scalar.json().isString() && scalar.json().stringValue().startsWith("$.")) {
                    check(scalar.position(), scalar.json().stringValue());
                }
            }
        }
    }

    private void check(SourcePosition position, String reference) {
        if (items && ITEM_REFERENCE.matcher(reference).matches()) {
            return;
        }
        if (!REFERENCE.matcher(reference).matches()) {
            keys.error(
                    position,
                    key,
                    Text.of("saga.definition.reference", "reference", Scalars.truncate(reference, MAX_SHOWN_LENGTH)));
            return;
        }
        var step = InputMapping.stepOf(reference).orElse("");
        if (!step.isEmpty() && !earlier.contains(step) && !step.equals(own)) {
            keys.error(
                    position,
                    key,
                    Text.of("saga.definition.not-earlier", "step", Scalars.truncate(step, MAX_SHOWN_LENGTH)));
        }
    }
}
