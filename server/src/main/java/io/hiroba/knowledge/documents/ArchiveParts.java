package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Text;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.ZipInputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** The parts of a document that is an archive of XML files, as office documents and books are, unpacked within limits. */
final class ArchiveParts {

    /** The maximum decompressed size, including skipped entries. */
    private static final long MAX_SIZE = 200L << 20;

    private static final long MAX_PART_SIZE = 64L << 20;
    /** The maximum size of the parts together, which are in memory. */
    private static final long MAX_KEPT_SIZE = 100L << 20;

    private static final int MAX_FILES = 10_000;
    private static final String PROPERTIES = "docProps/core.xml";

    private static final int DIRECTORY_END_SIZE = 22;
    private static final int DIRECTORY_ENTRY_SIZE = 46;
    private static final int DIRECTORY_END = 0x06054b50;
    private static final int DIRECTORY_ENTRY = 0x02014b50;

    private final Map<String, byte[]> parts;
    /** The size of what was asked for: parts may refer to one another any number of times. */
    private long read;

    private ArchiveParts(Map<String, byte[]> parts) {
        this.parts = parts;
    }

    /** Unpacks the parts with a wanted name, and the document's properties. */
    static ArchiveParts read(byte[] archive, Predicate<String> wanted) throws IOException {
        var parts = new HashMap<String, byte[]>();
        long total = 0;
        long kept = 0;
        int files = 0;
        try (var zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                boolean isWanted = entry.getName().equals(PROPERTIES) || wanted.test(entry.getName());
                var out = new ByteArrayOutputStream();
                total += copy(zip, isWanted ? out : null, MAX_SIZE - total);
                kept += out.size();
                if (++files > MAX_FILES || kept > MAX_KEPT_SIZE) {
                    throw tooLarge();
                }
                if (isWanted) {
                    parts.putIfAbsent(entry.getName(), out.toByteArray());
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("A name in the archive cannot be read", e);
        }
        return new ArchiveParts(parts);
    }

    private static long copy(InputStream in, @Nullable ByteArrayOutputStream out, long room) throws IOException {
        var buffer = new byte[64 * 1024];
        long total = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            total += count;
            if (total > room || (out != null && total > MAX_PART_SIZE)) {
                throw tooLarge();
            }
            if (out != null) {
                out.write(buffer, 0, count);
            }
        }
        return total;
    }

    static KnowledgeProblem tooLarge() {
        return KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.archive-too-large"));
    }

    static KnowledgeProblem corrupt() {
        return KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.archive-corrupt"));
    }

    /**
     * The names of an archive's files, from its directory: an archive inside it has names of its own, which do not count. Empty if the
     * directory cannot be read.
     */
    static Set<String> names(byte[] archive) {
        var names = new HashSet<String>();
        var bytes = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
        int end = archive.length - DIRECTORY_END_SIZE;
        while (end >= 0 && bytes.getInt(end) != DIRECTORY_END) {
            end--;
        }
        if (end < 0) {
            return names;
        }
        int at = bytes.getInt(end + 16);
        while (at >= 0
                && at <= archive.length - DIRECTORY_ENTRY_SIZE
                && bytes.getInt(at) == DIRECTORY_ENTRY
                && names.size() < MAX_FILES) {
            int length = Short.toUnsignedInt(bytes.getShort(at + 28));
            if (at + DIRECTORY_ENTRY_SIZE + length > archive.length) {
                return names;
            }
            names.add(new String(archive, at + DIRECTORY_ENTRY_SIZE, length, StandardCharsets.UTF_8));
            at += DIRECTORY_ENTRY_SIZE
                    + length
                    + Short.toUnsignedInt(bytes.getShort(at + 30))
                    + Short.toUnsignedInt(bytes.getShort(at + 32));
        }
        return names;
    }

    boolean has(String name) {
        return parts.containsKey(name);
    }

    Optional<byte[]> bytes(String name) {
        var part = parts.get(name);
        read += part == null ? 0 : part.length;
        if (read > MAX_KEPT_SIZE) {
            throw tooLarge();
        }
        return Optional.ofNullable(part);
    }

    /** A part that must be there. */
    XMLStreamReader xml(String name) throws XMLStreamException {
        return find(name).orElseThrow(ArchiveParts::corrupt);
    }

    /** Without document types, and so without entities of any kind. */
    Optional<XMLStreamReader> find(String name) throws XMLStreamException {
        var part = bytes(name).orElse(null);
        if (part == null) {
            return Optional.empty();
        }
        var factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return Optional.of(factory.createXMLStreamReader(new ByteArrayInputStream(part)));
    }

    /** The title in the properties of an office document. */
    @Nullable
    String title() throws XMLStreamException {
        return title(PROPERTIES);
    }

    /** The first title in a part. */
    @Nullable
    String title(String name) throws XMLStreamException {
        var xml = find(name).orElse(null);
        while (xml != null && xml.hasNext()) {
            if (xml.next() == XMLStreamReader.START_ELEMENT
                    && xml.getLocalName().equals("title")) {
                var title = StorableText.of(xml.getElementText()).strip();
                return title.isEmpty() ? null : title;
            }
        }
        return null;
    }

    /** The names of the parts that a part of an office document relates to, by the ids of the relations. */
    Map<String, String> relations(String name) throws XMLStreamException {
        var relations = new HashMap<String, String>();
        int slash = name.lastIndexOf('/') + 1;
        var xml = find(name.substring(0, slash) + "_rels/" + name.substring(slash) + ".rels")
                .orElse(null);
        while (xml != null && xml.hasNext()) {
            if (xml.next() == XMLStreamReader.START_ELEMENT
                    && xml.getLocalName().equals("Relationship")) {
                var id = attribute(xml, "Id");
                var target = attribute(xml, "Target");
                if (id != null && target != null && !"External".equals(attribute(xml, "TargetMode"))) {
                    relations.put(id, resolve(name, target));
                }
            }
        }
        return relations;
    }

    /** The name that {@code target} means in the part {@code name}. */
    static String resolve(String name, String target) {
        if (target.startsWith("/")) {
            return target.substring(1);
        }
        var path = new ArrayDeque<String>();
        var folder = name.substring(0, name.lastIndexOf('/') + 1);
        for (var step : (folder + target).split("/", -1)) {
            if (step.equals("..")) {
                path.pollLast();
            } else if (!step.isEmpty() && !step.equals(".")) {
                path.add(step);
            }
        }
        return String.join("/", path);
    }

    /** The attribute of that local name. */
    static @Nullable String attribute(XMLStreamReader xml, String name) {
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            if (xml.getAttributeLocalName(i).equals(name)) {
                return xml.getAttributeValue(i);
            }
        }
        return null;
    }

    /** Skips the rest of the element that begins here. */
    static void skip(XMLStreamReader xml) throws XMLStreamException {
        for (int depth = 1; depth > 0 && xml.hasNext(); ) {
            int event = xml.next();
            depth += event == XMLStreamReader.START_ELEMENT ? 1 : event == XMLStreamReader.END_ELEMENT ? -1 : 0;
        }
    }

    /** The text within the element that begins here, with that of the elements in it. */
    static String text(XMLStreamReader xml) throws XMLStreamException {
        var text = new StringBuilder();
        for (int depth = 1; depth > 0 && xml.hasNext(); ) {
            switch (xml.next()) {
                case XMLStreamReader.START_ELEMENT -> depth++;
                case XMLStreamReader.END_ELEMENT -> depth--;
                case XMLStreamReader.CHARACTERS -> text.append(xml.getText());
                default -> {}
            }
        }
        return text.toString();
    }
}
