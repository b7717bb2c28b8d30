package io.hiroba.saga.workflow;

import io.hiroba.saga.StorableJson;
import io.hiroba.saga.workflow.SourceNode.Field;
import io.hiroba.saga.workflow.SourceNode.Fields;
import io.hiroba.saga.workflow.SourceNode.Items;
import io.hiroba.saga.workflow.SourceNode.Scalar;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Takes YAML apart, event by event: no alias can grow into a bomb, no depth can exhaust the stack, and no tag can name a
 * class, because none of them is let in.
 */
final class YamlParser {

    private final Iterator<Event> events;
    private final ValidationErrors mistakes;

    private YamlParser(Iterator<Event> events, ValidationErrors mistakes) {
        this.events = events;
        this.mistakes = mistakes;
    }

    static SourceNode parse(String text, ValidationErrors mistakes) {
        // A buffer for all of it: the library fails where a pair of surrogates lies across the end of its buffer.
        var settings = LoadSettings.builder()
                .setLabel("workflow")
                .setBufferSize(text.length() + 2)
                .build();
        try {
            return new YamlParser(new Parse(settings).parseString(text).iterator(), mistakes).document();
        } catch (MarkedYamlEngineException e) {
            var place = e.getProblemMark()
                    .map(mark -> SourcePosition.ofLine(mark.getLine() + 1))
                    .orElse(SourcePosition.START);
            throw ValidationErrors.unreadable(place, "is not valid YAML: " + e.getProblem());
        } catch (YamlEngineException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw ValidationErrors.unreadable(SourcePosition.START, "is not valid YAML, or holds characters that YAML does not allow");
        }
    }

    private SourceNode document() {
        var event = skipTo(Event.ID.DocumentStart, Event.ID.StreamEnd);
        if (event.getEventId() == Event.ID.StreamEnd) {
            throw ValidationErrors.unreadable(SourcePosition.START, "is empty");
        }
        var root = node(events.next(), 0);
        var end = skipTo(Event.ID.DocumentStart, Event.ID.StreamEnd);
        if (end.getEventId() == Event.ID.DocumentStart) {
            throw ValidationErrors.unreadable(place(end), "begins a second document: there must be one");
        }
        return root;
    }

    private Event skipTo(Event.ID one, Event.ID other) {
        var event = events.next();
        while (event.getEventId() != one && event.getEventId() != other) {
            event = events.next();
        }
        return event;
    }

    private SourceNode node(Event event, int depth) {
        if (depth > SourceNode.DEEPEST) {
            throw ValidationErrors.unreadable(place(event), "is nested too deeply");
        }
        refuseAnchor(event);
        return switch (event) {
            case ScalarEvent scalar -> scalar(scalar);
            case MappingStartEvent start -> fields(place(start), depth);
            case CollectionStartEvent start -> items(place(start), depth);
            default -> throw ValidationErrors.unreadable(place(event), "is not valid YAML");
        };
    }

    private static void refuseAnchor(Event event) {
        var tag = switch (event) {
            case ScalarEvent scalar -> scalar.getTag();
            case CollectionStartEvent start -> start.getTag();
            default -> Optional.<String>empty();
        };
        if (tag.isPresent()) {
            throw ValidationErrors.unreadable(place(event), "has a tag: tags are not read");
        }
        if (event instanceof AliasEvent
                || (event instanceof NodeEvent node && node.getAnchor().isPresent())) {
            throw ValidationErrors.unreadable(place(event), "has an anchor or an alias: write it out");
        }
    }

    private Scalar scalar(ScalarEvent event) {
        var value = event.isPlain() ? Scalars.plain(event.getValue()) : Scalars.text(event.getValue());
        if (!StorableJson.isStorable(value)) {
            throw ValidationErrors.unreadable(place(event), "holds a character or a number that cannot be kept");
        }
        return new Scalar(place(event), value);
    }

    private Items items(SourcePosition place, int depth) {
        var items = new ArrayList<SourceNode>();
        for (var event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            items.add(node(event, depth + 1));
        }
        return new Items(place, items);
    }

    private Fields fields(SourcePosition place, int depth) {
        var fields = new LinkedHashMap<String, Field>();
        for (var event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            refuseAnchor(event);
            if (!(event instanceof ScalarEvent key) || !StorableJson.isStorable(key.getValue())) {
                throw ValidationErrors.unreadable(place(event), "has a key that is not a text");
            }
            var value = node(events.next(), depth + 1);
            if (fields.putIfAbsent(key.getValue(), new Field(place(key), value)) != null) {
                mistakes.add(place(key), key.getValue(), "is there twice");
            }
        }
        return new Fields(place, fields);
    }

    private static SourcePosition place(Event event) {
        return event.getStartMark()
                .map(mark -> SourcePosition.ofLine(mark.getLine() + 1))
                .orElse(SourcePosition.START);
    }
}
