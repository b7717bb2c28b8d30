package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.node.ObjectNode;

/** Reads the records of a file with a JSON object per line; empty lines are skipped. */
final class JsonLineReader implements LineReader {

    private final Reader content;
    private final StringBuilder text = new StringBuilder();
    private long line;

    JsonLineReader(InputStream content, ImportOptions options) {
        this.content = new BufferedReader(FileEncoding.reader(content, options.encoding()), 1 << 16);
    }

    @Override
    public List<String> columns() {
        return List.of();
    }

    @Override
    public Optional<FileLine> next() {
        try {
            while (readLine()) {
                if (text.length() > MAX_LENGTH) {
                    return Optional.of(new FileLine.Unreadable(line, Text.of("records.transfer.too-long")));
                }
                var json = text.toString();
                if (!json.isBlank()) {
                    return Optional.of(parsed(json));
                }
            }
            return Optional.empty();
        } catch (CharacterCodingException e) {
            throw new MalformedFileException(line, FileEncoding.BROKEN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private FileLine parsed(String json) {
        try {
            if (!(Documents.exact().readTree(json) instanceof ObjectNode object)) {
                return new FileLine.Unreadable(line, Text.of("records.transfer.object"));
            }
            return object.propertyNames().stream().allMatch(Utf8::isStorable)
                    ? new FileLine.Values(line, object)
                    : new FileLine.Unreadable(line, Text.of("records.transfer.name-unstorable"));
        } catch (JacksonException e) {
            // What the library says of it is in its own words.
            return new FileLine.Unreadable(
                    line,
                    e instanceof UnexpectedEndOfInputException
                            ? Text.of("records.transfer.json-ends", "line", Long.toString(line))
                            : Text.of(
                                    "records.transfer.no-json",
                                    "line",
                                    Long.toString(line),
                                    "column",
                                    Integer.toString(e.getLocation().getColumnNr())));
        }
    }

    /** Reads the next line into {@code text}, truncated just above the limit. */
    private boolean readLine() throws IOException {
        text.setLength(0);
        if (text.capacity() > 1 << 16) {
            text.trimToSize();
        }
        line++;
        int c = content.read();
        if (c < 0) {
            return false;
        }
        for (; c >= 0 && c != '\n'; c = content.read()) {
            if (text.length() <= MAX_LENGTH) {
                text.append((char) c);
            }
        }
        return true;
    }
}
