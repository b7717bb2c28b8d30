package io.hiroba.saga.workflow;

import io.hiroba.platform.expression.Expression;
import io.hiroba.platform.expression.ExpressionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The condition of a step: it is executed if all terms are as expected. They are evaluated in order up to the first that is not.
 * The steps of a case of a {@code switch} carry its term after those of the cases before it, which have to be false.
 */
public record StepCondition(List<Term> terms) {

    public StepCondition {
        terms = List.copyOf(terms);
    }

    /** An expression in CEL and the value that it has to have. */
    public record Term(String expression, boolean expected) {}

    StepCondition and(Term term) {
        var all = new ArrayList<>(terms);
        all.add(term);
        return new StepCondition(all);
    }

    /** Whether the step is executed, given the payload and the answers of earlier steps. */
    public boolean holds(SagaValues values) throws ExpressionException {
        for (var term : terms) {
            var expression = Expression.compile(term.expression(), SagaValues.SCOPE);
            if (expression.test(values.variables(expression)) != term.expected()) {
                return false;
            }
        }
        return true;
    }

    /** The expression of the step, or of the case that it belongs to; empty where it is executed if no case is. */
    public Optional<String> last() {
        return terms.getLast().expected() ? Optional.of(terms.getLast().expression()) : Optional.empty();
    }

    /** As one expression. */
    public String text() {
        if (terms.size() == 1 && terms.getFirst().expected()) {
            return terms.getFirst().expression();
        }
        return terms.stream()
                .map(term -> (term.expected() ? "(" : "!(") + term.expression() + ")")
                .collect(Collectors.joining(" && "));
    }
}
