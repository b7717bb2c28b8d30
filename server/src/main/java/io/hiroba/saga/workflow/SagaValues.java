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
 * @param element the element of a list that a saga is started for, where its payload is made, or its call undone
 */
public record SagaValues(
        JsonNode payload,
        Map<String, JsonNode> answers,
        @Nullable JsonNode answer,
        @Nullable Element element) {

    private static final String PAYLOAD = "payload";
    private static final String ANSWER = "answer";
    static final String STEPS = "steps";
    static final String ITEM = "item";
    static final String INDEX = "index";

    static final Expression.Scope SCOPE = new Expression.Scope(Set.of(PAYLOAD), Set.of(STEPS));
    static final Expression.Scope OUTPUT_SCOPE = new Expression.Scope(Set.of(PAYLOAD, ANSWER), Set.of(STEPS));

    /** Of what undoes a call for an element: it is made without the saga that the list is from. */
    static final Expression.Scope UNDO_SCOPE = new Expression.Scope(Set.of(ITEM, INDEX), Set.of(STEPS));

    static final Expression.Scope ELEMENT_SCOPE = new Expression.Scope(Set.of(PAYLOAD, ITEM, INDEX), Set.of(STEPS));

    /** An element of a list and its index, from 0 on. */
    public record Element(JsonNode item, int index) {

        JsonNode indexNode() {
            return JsonMapper.shared().getNodeFactory().numberNode(index);
        }
    }

    public SagaValues(JsonNode payload, Map<String, JsonNode> answers, @Nullable JsonNode answer) {
        this(payload, answers, answer, null);
    }

    public SagaValues(JsonNode payload, Map<String, JsonNode> answers) {
        this(payload, answers, null, null);
    }

    Expression.Scope scope() {
        return answer != null ? OUTPUT_SCOPE : element != null ? ELEMENT_SCOPE : SCOPE;
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
        if (element != null) {
            variables.put(ITEM, element.item());
            variables.put(INDEX, element.indexNode());
        }
        return variables;
    }
}
