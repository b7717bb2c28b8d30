package io.hiroba.platform.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Collects the fields at fault of an object that could not be read: the first stops Jackson, the others are read one by one. */
final class JsonFaults {

    private final JsonMapper mapper;
    private final Map<String, FieldError> faults = new LinkedHashMap<>();

    private JsonFaults(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** The problem of what stopped the reading, with all fields of {@code json} at fault. */
    static Problem of(JacksonException stopped, JsonMapper mapper, String json, Type type) {
        var problem = JsonProblems.of(stopped);
        if (!(problem instanceof HttpProblem first)
                || first.fields().isEmpty()
                || !(type instanceof Class<?> body)
                || !body.isRecord()) {
            return problem;
        }
        var all = new JsonFaults(mapper);
        all.add(first);
        try {
            all.read(mapper.readTree(json), body);
        } catch (JacksonException | ArithmeticException | NumberFormatException e) {
            return first;
        }
        return first.withFields(List.copyOf(all.faults.values()));
    }

    private void read(JsonNode object, Class<?> body) {
        var known = new HashSet<String>();
        for (var component : body.getRecordComponents()) {
            var name = name(component);
            known.add(name);
            var value = object.path(name);
            if (!value.isMissingNode() && !value.isNull()) {
                read(value, component, name);
            } else if (RequiredComponents.isRequired(component)) {
                add(HttpProblem.missingField(name));
            }
        }
        object.propertyNames().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> add(HttpProblem.unknownField(name)));
    }

    private void read(JsonNode value, RecordComponent component, String name) {
        try {
            mapper.treeToValue(value, mapper.constructType(component.getGenericType()));
        } catch (JacksonException e) {
            e.prependPath(component.getDeclaringRecord(), name);
            add(JsonProblems.of(e));
        }
    }

    private void add(Problem problem) {
        problem.fields().forEach(fault -> faults.putIfAbsent(fault.field(), fault));
    }

    private static String name(RecordComponent component) {
        var property = component.getAccessor().getAnnotation(JsonProperty.class);
        return property == null || property.value().isEmpty() ? component.getName() : property.value();
    }
}
