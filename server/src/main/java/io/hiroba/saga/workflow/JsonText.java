package io.hiroba.saga.workflow;

import io.hiroba.saga.StorableJson;
import io.hiroba.saga.workflow.Node.Field;
import io.hiroba.saga.workflow.Node.Fields;
import io.hiroba.saga.workflow.Node.Items;
import io.hiroba.saga.workflow.Node.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/** Takes JSON apart. */
final class JsonText {

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Node.DEEPEST + 1)
                            .maxNumberLength(100)
                            .build())
                    .build())
            .build();

    private final JsonParser parser;
    private final Mistakes mistakes;

    private JsonText(JsonParser parser, Mistakes mistakes) {
        this.parser = parser;
        this.mistakes = mistakes;
    }

    static Node parse(String text, Mistakes mistakes) {
        try (var parser = MAPPER.createParser(text)) {
            if (parser.nextToken() == null) {
                throw Mistakes.unreadable(1, "is empty");
            }
            var root = new JsonText(parser, mistakes).node();
            if (parser.nextToken() != null) {
                throw Mistakes.unreadable(line(parser), "goes on after the end of the JSON");
            }
            return root;
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw Mistakes.unreadable(line, "is not valid JSON, or nested too deeply");
        }
    }

    private Node node() {
        int line = line(parser);
        return switch (parser.currentToken()) {
            case START_OBJECT -> fields(line);
            case START_ARRAY -> items(line);
            default -> scalar(line);
        };
    }

    private Fields fields(int line) {
        var fields = new LinkedHashMap<String, Field>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            int at = line(parser);
            var key = parser.currentName();
            if (!StorableJson.isStorable(key)) {
                throw Mistakes.unreadable(at, "holds a character or a number that cannot be kept");
            }
            parser.nextToken();
            if (fields.putIfAbsent(key, new Field(at, node())) != null) {
                mistakes.add(at, key, "is there twice");
            }
        }
        return new Fields(line, fields);
    }

    private Items items(int line) {
        var items = new ArrayList<Node>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node());
        }
        return new Items(line, items);
    }

    private Scalar scalar(int line) {
        var nodes = MAPPER.getNodeFactory();
        var value = switch (parser.currentToken()) {
            case VALUE_STRING -> Scalars.text(parser.getString());
            case VALUE_NUMBER_INT -> Scalars.whole(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> Scalars.decimal(parser.getDecimalValue());
            case VALUE_TRUE -> nodes.booleanNode(true);
            case VALUE_FALSE -> nodes.booleanNode(false);
            default -> nodes.nullNode();
        };
        if (!StorableJson.isStorable(value)) {
            throw Mistakes.unreadable(line, "holds a character or a number that cannot be kept");
        }
        return new Scalar(line, value);
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }
}
