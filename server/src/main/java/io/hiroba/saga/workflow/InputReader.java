package io.hiroba.saga.workflow;

import io.hiroba.platform.expression.Expression;
import io.hiroba.platform.expression.ExpressionException;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.SourceNode.Fields;
import io.hiroba.saga.workflow.SourceNode.Items;
import io.hiroba.saga.workflow.SourceNode.Scalar;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the input, output or condition of a step, and checks that it refers to earlier steps only. */
final class InputReader {

    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\.(payload|answer|steps\\.[A-Za-z0-9_-]+)(\\.[^.\\[\\]?]+|\\[[0-9]{1,6}\\])*+\\??");

    private static final Pattern ELEMENT_REFERENCE =
            Pattern.compile("\\$\\.(item|index)(\\.[^.\\[\\]?]+|\\[[0-9]{1,6}\\])*+\\??");

    private static final int MAX_SHOWN_LENGTH = 100;

    private final FieldReader keys;
    private final String key;
    private final Set<String> earlier;
    private final String own;
    private final Expression.Scope scope;

    /** @param own the step itself, where its answer may be used too; else empty */
    InputReader(FieldReader keys, String key, Set<String> earlier, String own) {
        this(keys, key, earlier, own, SagaValues.SCOPE);
    }

    InputReader(FieldReader keys, String key, Set<String> earlier, String own, Expression.Scope scope) {
        this.keys = keys;
        this.key = key;
        this.earlier = earlier;
        this.own = own;
        this.scope = scope;
    }

    InputMapping read(SourceNode node) {
        check(node);
        return new InputMapping(node.json());
    }

    /** Checks the references of a text, such as {@code {{$.payload.id}}}. */
    void checkText(SourceNode node, String text) {
        InputMapping.references(text).forEach(reference -> check(node.position(), reference));
        if (InputMapping.isOpen(text)) {
            keys.error(node.position(), key, Text.of("saga.definition.open-reference", "open", "{{$.", "close", "}}"));
        }
    }

    private void check(SourceNode node) {
        switch (node) {
            case Fields fields -> fields.fields().values().forEach(field -> check(field.value()));
            case Items items -> items.items().forEach(this::check);
            case Scalar scalar -> {
                var text = scalar.json().asString("");
                if (scalar.json().isString() && text.startsWith("$.")) {
                    check(scalar.position(), text);
                } else if (scalar.json().isString() && InputMapping.isExpression(text)) {
                    expression(scalar.position(), text.substring(InputMapping.EXPRESSION.length()));
                }
            }
        }
    }

    private void check(SourcePosition position, String reference) {
        boolean isUndo = scope.equals(SagaValues.UNDO_SCOPE);
        boolean isForeign = (reference.startsWith("$.answer") && !scope.equals(SagaValues.OUTPUT_SCOPE))
                || (reference.startsWith("$.payload") && isUndo);
        if ((isUndo || scope.equals(SagaValues.ELEMENT_SCOPE))
                && ELEMENT_REFERENCE.matcher(reference).matches()) {
            return;
        }
        if (isForeign || !REFERENCE.matcher(reference).matches()) {
            var shown = Scalars.truncate(reference, MAX_SHOWN_LENGTH);
            keys.error(
                    position,
                    key,
                    isUndo
                            ? Text.of("saga.definition.undo-reference", "reference", shown)
                            : Text.of("saga.definition.reference", "reference", shown));
            return;
        }
        earlier(position, InputMapping.stepOf(reference).orElse(""));
    }

    /** The expression; null where it is invalid, which is reported. */
    @Nullable
    Expression expression(SourcePosition position, String source) {
        try {
            var expression = Expression.compile(source, scope);
            expression.fieldsOf(SagaValues.STEPS).forEach(step -> earlier(position, step));
            return expression;
        } catch (ExpressionException e) {
            keys.error(position, key, e.reason());
            return null;
        }
    }

    private void earlier(SourcePosition position, String step) {
        if (!step.isEmpty() && !earlier.contains(step) && !step.equals(own)) {
            keys.error(
                    position,
                    key,
                    Text.of("saga.definition.not-earlier", "step", Scalars.truncate(step, MAX_SHOWN_LENGTH)));
        }
    }
}
