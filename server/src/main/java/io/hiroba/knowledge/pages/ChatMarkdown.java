package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.search.Conversation;
import io.hiroba.knowledge.search.Conversation.Exchange;
import io.hiroba.platform.i18n.Reader;
import java.util.regex.Pattern;

/** A conversation as a Markdown document: each question is a heading, and the passages of its answer follow it. */
final class ChatMarkdown {

    private static final Pattern SPACES = Pattern.compile("\\s+");

    private ChatMarkdown() {}

    static String of(Conversation.Opened opened, Reader reader) {
        var conversation = opened.conversation();
        var text = new StringBuilder("# %s\n\n%s\n"
                .formatted(
                        conversation.title().isEmpty()
                                ? reader.text("knowledge.chat.untitled")
                                : line(conversation.title()),
                        reader.exact(conversation.createdAt())));
        opened.exchanges().forEach(exchange -> add(text, exchange, reader));
        return text.toString();
    }

    private static void add(StringBuilder text, Exchange exchange, Reader reader) {
        var entry = ChatView.Entry.of(exchange, false);
        text.append("\n## ").append(line(exchange.question())).append("\n\n");
        if (!entry.isPlain()) {
            text.append('*').append(reader.text(entry.kind())).append("*\n\n");
        }
        if (exchange.why() != null) {
            text.append('*').append(reader.text(exchange.why())).append("*\n\n");
        }
        text.append(exchange.answer()).append('\n');
        if (exchange.citations().isEmpty()) {
            return;
        }
        text.append('\n');
        for (var citation : exchange.citations()) {
            var hit = citation.hit();
            text.append("- [%d] %s, %s: <%s>\n"
                    .formatted(
                            citation.number(),
                            line(hit.sourceTitle()),
                            reader.text(ChunkLocation.text(hit.label())),
                            hit.url()));
        }
    }

    private static String line(String text) {
        return SPACES.matcher(text).replaceAll(" ").strip();
    }
}
