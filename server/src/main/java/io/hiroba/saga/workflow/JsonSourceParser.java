package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
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

/** Parses JSON with the positions of its nodes. Where all of it is on one line, positions have columns. */
final class JsonSourceParser {

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(SourceNode.MAX_DEPTH + 1)
                            .maxNumberLength(100)
                            .build())
                    .build())
            .build();

    private final JsonParser parser;
    private final boolean oneLine;
    private final ValidationErrors errors;

    private JsonSourceParser(JsonParser parser, boolean oneLine, ValidationErrors errors) {
        this.parser = parser;
        this.oneLine = oneLine;
        this.errors = errors;
    }

    static SourceNode parse(String text, ValidationErrors errors) {
        boolean oneLine = text.strip().lines().count() == 1;
        try (var parser = MAPPER.createParser(text)) {
            if (parser.nextToken() == null) {
                throw ValidationErrors.unreadable(SourcePosition.START, Text.of("saga.definition.empty"));
            }
            var json = new JsonSourceParser(parser, oneLine, errors);
            var root = json.node();
            if (parser.nextToken() != null) {
                throw ValidationErrors.unreadable(json.position(), Text.of("saga.definition.json-rest"));
            }
            return root;
        } catch (JacksonException e) {
            var position = e.getLocation() == null ? SourcePosition.START : position(e.getLocation(), oneLine);
            throw ValidationErrors.unreadable(position, Text.of("saga.definition.json"));
        }
    }

    private SourceNode node() {
        var position = position();
        return switch (parser.currentToken()) {
            case START_OBJECT -> fields(position);
            case START_ARRAY -> items(position);
            default -> scalar(position);
        };
    }

    private Fields fields(SourcePosition position) {
        var fields = new LinkedHashMap<String, Field>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var at = position();
            var key = parser.currentName();
            if (!StorableJson.isStorable(key)) {
                throw ValidationErrors.unreadable(at, Text.of("saga.field.storable-json"));
            }
            parser.nextToken();
            if (fields.putIfAbsent(key, new Field(at, node())) != null) {
                errors.add(at, key, Text.of("saga.definition.duplicate-key"));
            }
        }
        return new Fields(position, fields);
    }

    private Items items(SourcePosition position) {
        var items = new ArrayList<SourceNode>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node());
        }
        return new Items(position, items);
    }

    private Scalar scalar(SourcePosition position) {
        var nodes = MAPPER.getNodeFactory();
        var value = switch (parser.currentToken()) {
            case VALUE_STRING -> Scalars.text(parser.getString());
            case VALUE_NUMBER_INT -> Scalars.integer(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> Scalars.decimal(parser.getDecimalValue());
            case VALUE_TRUE -> nodes.booleanNode(true);
            case VALUE_FALSE -> nodes.booleanNode(false);
            default -> nodes.nullNode();
        };
        if (!StorableJson.isStorable(value)) {
            throw ValidationErrors.unreadable(position, Text.of("saga.field.storable-json"));
        }
        return new Scalar(position, value);
    }

    private SourcePosition position() {
        return position(parser.currentTokenLocation(), oneLine);
    }

    private static SourcePosition position(TokenStreamLocation location, boolean oneLine) {
        return new SourcePosition(Math.max(1, location.getLineNr()), oneLine ? Math.max(1, location.getColumnNr()) : 0);
    }
}
