package io.hiroba.saga;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Converts JSON to {@code google.protobuf.Value} and back. */
final class ProtoValues {

    /** Whole numbers up to here are exact where every number is a double. */
    private static final double MAX_EXACT_INTEGER = 1L << 53;

    private ProtoValues() {}

    static Value of(JsonNode node) {
        var value = Value.newBuilder();
        switch (node.getNodeType()) {
            case STRING -> value.setStringValue(node.stringValue());
            case NUMBER -> value.setNumberValue(node.doubleValue());
            case BOOLEAN -> value.setBoolValue(node.booleanValue());
            case ARRAY -> {
                var list = ListValue.newBuilder();
                node.forEach(item -> list.addValues(of(item)));
                value.setListValue(list);
            }
            case OBJECT -> {
                var fields = Struct.newBuilder();
                node.properties().forEach(field -> fields.putFields(field.getKey(), of(field.getValue())));
                value.setStructValue(fields);
            }
            case NULL, MISSING, BINARY, POJO -> value.setNullValue(NullValue.NULL_VALUE);
        }
        return value.build();
    }

    /** The same value with the fields of all its objects in the order of their names. */
    static JsonNode sorted(JsonNode node) {
        if (node.isObject()) {
            var object = JsonMapper.shared().createObjectNode();
            var fields = new TreeMap<String, JsonNode>();
            node.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
            fields.forEach((name, value) -> object.set(name, sorted(value)));
            return object;
        } else if (node.isArray()) {
            var list = JsonMapper.shared().createArrayNode();
            node.forEach(item -> list.add(sorted(item)));
            return list;
        }
        return node;
    }

    /** Converts the value of a request; refused where it cannot be stored. */
    static JsonNode json(String field, Value value) {
        return Json.read(node(field, value).toString(), JsonNode.class);
    }

    private static JsonNode node(String field, Value value) {
        var nodes = JsonMapper.shared().getNodeFactory();
        return switch (value.getKindCase()) {
            case STRING_VALUE -> nodes.stringNode(value.getStringValue());
            case NUMBER_VALUE -> number(field, value.getNumberValue());
            case BOOL_VALUE -> nodes.booleanNode(value.getBoolValue());
            case LIST_VALUE -> {
                var list = nodes.arrayNode();
                value.getListValue().getValuesList().forEach(item -> list.add(node(field, item)));
                yield list;
            }
            case STRUCT_VALUE -> object(field, value.getStructValue().getFieldsMap());
            case NULL_VALUE, KIND_NOT_SET -> nodes.nullNode();
        };
    }

    private static JsonNode object(String field, Map<String, Value> fields) {
        var object = JsonMapper.shared().createObjectNode();
        fields.forEach((name, value) -> object.set(name, node(field, value)));
        return object;
    }

    private static JsonNode number(String field, double number) {
        var nodes = JsonMapper.shared().getNodeFactory();
        if (!Double.isFinite(number)) {
            throw SagaProblem.invalid(field, Text.of("saga.field.finite"));
        }
        return number == Math.rint(number) && Math.abs(number) <= MAX_EXACT_INTEGER
                ? nodes.numberNode((long) number)
                : nodes.numberNode(number);
    }
}
