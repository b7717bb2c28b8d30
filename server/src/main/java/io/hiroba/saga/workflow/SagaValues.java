package io.hiroba.saga.workflow;

import io.hiroba.platform.expression.Expression;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The values of a saga that references and expressions of its workflow read.
 *
 * @param answers of the steps that are done, by name; a step that was skipped has none
 * @param answer the answer of the service, where the output of a step is made of it
 */
public record SagaValues(
        JsonNode payload,
        Map<String, JsonNode> answers,
        @Nullable JsonNode answer) {

    private static final String PAYLOAD = "payload";
    private static final String ANSWER = "answer";
    static final String STEPS = "steps";

    static final Expression.Scope SCOPE = new Expression.Scope(Set.of(PAYLOAD), Set.of(STEPS));
    static final Expression.Scope OUTPUT_SCOPE = new Expression.Scope(Set.of(PAYLOAD, ANSWER), Set.of(STEPS));

    public SagaValues(JsonNode payload, Map<String, JsonNode> answers) {
        this(payload, answers, null);
    }

    /** Its variables, with those answers only that it reads. */
    Map<String, JsonNode> variables(Expression expression) {
        var steps = JsonMapper.shared().createObjectNode();
        for (var name : expression.fieldsOf(STEPS)) {
            var found = answers.get(name);
            if (found != null && !found.isMissingNode()) {
                steps.set(name, found);
            }
        }
        var variables = new HashMap<String, JsonNode>();
        variables.put(PAYLOAD, payload);
        variables.put(STEPS, steps);
        if (answer != null) {
            variables.put(ANSWER, answer);
        }
        return variables;
    }
}
