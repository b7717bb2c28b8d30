package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.StorableText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the document of a chat export. */
final class TranscriptBuilder {

    private static final int MAX_PARTICIPANTS = 50;

    private final List<Block> messages = new ArrayList<>();
    private final Set<String> participants = new LinkedHashSet<>();

    /** Adds a message; an empty one is skipped, but keeps its index. */
    void addMessage(int index, @Nullable String id, @Nullable String url, String author, String text) {
        // Messages may contain characters that the database cannot store.
        var content = StorableText.of(text).strip();
        if (content.isEmpty()) {
            return;
        }
        var name = StorableText.of(author).strip();
        if (!name.isEmpty() && participants.size() < MAX_PARTICIPANTS) {
            participants.add(name);
        }
        BlockLimit.check(messages.size());
        messages.add(new Block.Message(
                index, id == null ? null : StorableText.of(id), url, name.isEmpty() ? content : name + ": " + content));
    }

    ParsedDocument reading(@Nullable String channel) {
        var name = channel == null ? null : StorableText.of(channel);
        var facts = new HashMap<String, Object>();
        facts.put("message_count", messages.size());
        facts.put("participants", List.copyOf(participants));
        if (name != null) {
            facts.put("channel_name", name);
        }
        return new ParsedDocument(name, List.of(Section.of(List.of(), messages)), Map.copyOf(facts));
    }
}
