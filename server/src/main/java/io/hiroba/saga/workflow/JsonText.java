package io.hiroba.saga.workflow;

import io.hiroba.saga.StorableJson;
import io.hiroba.saga.workflow.SourceNode.Field;
import io.hiroba.saga.workflow.SourceNode.Fields;
import io.hiroba.saga.workflow.SourceNode.Items;
import io.hiroba.saga.workflow.SourceNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/** Takes JSON apart. Where all of it stands in one line, places have columns. */
final class JsonText {

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(SourceNode.DEEPEST + 1)
                            .maxNumberLength(100)
                            .build())
                    .build())
            .build();

    private final JsonParser parser;
    private final boolean oneLine;
    private final ValidationErrors mistakes;

    private JsonText(JsonParser parser, boolean oneLine, ValidationErrors mistakes) {
        this.parser = parser;
        this.oneLine = oneLine;
        this.mistakes = mistakes;
    }

    static SourceNode parse(String text, ValidationErrors mistakes) {
        boolean oneLine = text.strip().lines().count() == 1;
        try (var parser = MAPPER.createParser(text)) {
            if (parser.nextToken() == null) {
                throw ValidationErrors.unreadable(SourcePosition.START, "is empty");
            }
            var json = new JsonText(parser, oneLine, mistakes);
            var root = json.node();
            if (parser.nextToken() != null) {
                throw ValidationErrors.unreadable(json.place(), "goes on after the end of the JSON");
            }
            return root;
        } catch (JacksonException e) {
            var place = e.getLocation() == null ? SourcePosition.START : place(e.getLocation(), oneLine);
            throw ValidationErrors.unreadable(place, "is not valid JSON, or nested too deeply");
        }
    }

    private SourceNode node() {
        var place = place();
        return switch (parser.currentToken()) {
            case START_OBJECT -> fields(place);
            case START_ARRAY -> items(place);
            default -> scalar(place);
        };
    }

    private Fields fields(SourcePosition place) {
        var fields = new LinkedHashMap<String, Field>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var at = place();
            var key = parser.currentName();
            if (!StorableJson.isStorable(key)) {
                throw ValidationErrors.unreadable(at, "holds a character or a number that cannot be kept");
            }
            parser.nextToken();
            if (fields.putIfAbsent(key, new Field(at, node())) != null) {
                mistakes.add(at, key, "is there twice");
            }
        }
        return new Fields(place, fields);
    }

    private Items items(SourcePosition place) {
        var items = new ArrayList<SourceNode>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node());
        }
        return new Items(place, items);
    }

    private Scalar scalar(SourcePosition place) {
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
            throw ValidationErrors.unreadable(place, "holds a character or a number that cannot be kept");
        }
        return new Scalar(place, value);
    }

    private SourcePosition place() {
        return place(parser.currentTokenLocation(), oneLine);
    }

    private static SourcePosition place(TokenStreamLocation location, boolean oneLine) {
        return new SourcePosition(Math.max(1, location.getLineNr()), oneLine ? Math.max(1, location.getColumnNr()) : 0);
    }
}
