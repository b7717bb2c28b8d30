package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an XLSX workbook, in a temporary file that is gone when it is closed or the process ends. What is unpacked is bounded, and
 * document types, and so entities of any kind, are refused.
 */
final class XlsxArchive implements AutoCloseable {

    /** The maximum size of the packed file. */
    static final long MAX_SIZE = 256L << 20;

    private static final int MAX_DIRECTORY = 4 << 20;
    private static final int DIRECTORY_END = 0x06054b50;
    private static final int DIRECTORY_END_SIZE = 22;
    private static final int MAX_COMMENT = 0xffff;

    private final ZipFile zip;
    private final long size;

    private XlsxArchive(ZipFile zip, long size) {
        this.zip = zip;
        this.size = size;
    }

    /** @throws MalformedFileException if {@code content} is no archive */
    static XlsxArchive of(InputStream content) {
        try {
            var file = Files.createTempFile("import", ".xlsx");
            try {
                long size = copy(content, file);
                requireSmallDirectory(file);
                return new XlsxArchive(new ZipFile(file.toFile(), ZipFile.OPEN_READ | ZipFile.OPEN_DELETE), size);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (ZipException | IllegalArgumentException e) {
            throw new MalformedFileException(1, Text.of("records.transfer.no-xlsx"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long copy(InputStream content, Path file) throws IOException {
        try (var out = Files.newOutputStream(file)) {
            var buffer = new byte[1 << 16];
            long size = 0;
            for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
                size += count;
                if (size > MAX_SIZE) {
                    throw tooLarge();
                }
                out.write(buffer, 0, count);
            }
            return size;
        }
    }

    /** The directory of an archive is kept in memory, so one that is nothing but a directory is refused. */
    private static void requireSmallDirectory(Path file) throws IOException {
        try (var archive = new RandomAccessFile(file.toFile(), "r")) {
            var end = new byte[(int) Math.min(archive.length(), DIRECTORY_END_SIZE + MAX_COMMENT)];
            archive.seek(archive.length() - end.length);
            archive.readFully(end);
            var bytes = ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i <= end.length - DIRECTORY_END_SIZE; i++) {
                if (bytes.getInt(i) == DIRECTORY_END && Integer.toUnsignedLong(bytes.getInt(i + 12)) > MAX_DIRECTORY) {
                    throw tooLarge();
                }
            }
        }
    }

    static MalformedFileException tooLarge() {
        return new MalformedFileException(1, Text.of("records.transfer.xlsx-too-large"));
    }

    static MalformedFileException corrupt(long row) {
        return new MalformedFileException(row, Text.of("records.transfer.xlsx-corrupt"));
    }

    long size() {
        return size;
    }

    /** A part with a limit for what is read before the next {@link Part#allow}. */
    Optional<Part> part(String name, long limit) {
        try {
            var entry = zip.getEntry(name);
            return entry == null
                    ? Optional.empty()
                    : Optional.of(new Part(zip.getInputStream(entry), entry.getSize(), limit));
        } catch (IOException | XMLStreamException e) {
            throw corrupt(1);
        }
    }

    /** A relation of a part to another one. */
    record Relation(String id, String type, String target) {

        boolean isOf(String kind) {
            return type.endsWith("/" + kind);
        }
    }

    /** The relations of the part {@code name}; those of the whole archive if it is empty. */
    List<Relation> relations(String name, long limit) {
        var relations = new ArrayList<Relation>();
        int slash = name.lastIndexOf('/') + 1;
        var folder = name.substring(0, slash);
        part(folder + "_rels/" + name.substring(slash) + ".rels", limit).ifPresent(part -> {
            while (part.nextElement("Relationship")) {
                var target = part.attribute("Target");
                var resolved = target == null || "External".equals(part.attribute("TargetMode"))
                        ? null
                        : resolve(folder, target);
                if (resolved != null) {
                    relations.add(new Relation(
                            String.valueOf(part.attribute("Id")), String.valueOf(part.attribute("Type")), resolved));
                }
            }
            part.close();
        });
        return relations;
    }

    private static @Nullable String resolve(String folder, String target) {
        try {
            var path = URI.create("/" + folder).resolve(target).getPath();
            return path == null || !path.startsWith("/") ? null : path.substring(1);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An XML part that is read element by element. */
    static final class Part implements AutoCloseable {

        private final Unpacked content;
        private final XMLStreamReader xml;
        private final long size;

        private Part(InputStream content, long size, long limit) throws XMLStreamException {
            this.content = new Unpacked(content, limit);
            this.size = size;
            var factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
            // The parser takes each escaped character for an entity. There are no others: document types are refused.
            factory.setProperty("jdk.xml.maxGeneralEntitySizeLimit", "0");
            factory.setProperty("jdk.xml.totalEntitySizeLimit", "0");
            this.xml = factory.createXMLStreamReader(this.content);
        }

        /** The bytes read so far. */
        long position() {
            return content.count;
        }

        /** The share that was read, from 0 to 1. */
        double progress() {
            return size <= 0 ? 0 : Math.min(1, (double) content.count / size);
        }

        /** Allows {@code more} bytes from here. */
        void allow(long more) {
            content.limit = content.count + more;
        }

        /** The next start of an element, end of one or text; false at the end of the part. */
        boolean next(long row) {
            try {
                if (!xml.hasNext()) {
                    return false;
                }
                if (xml.next() == XMLStreamReader.DTD) {
                    throw corrupt(row);
                }
                return true;
            } catch (XMLStreamException e) {
                throw content.exceeded ? tooLarge() : corrupt(row);
            }
        }

        /** Goes to the next element of that name. */
        boolean nextElement(String name) {
            while (next(1)) {
                if (isStart() && isNamed(name)) {
                    return true;
                }
            }
            return false;
        }

        boolean isStart() {
            return xml.getEventType() == XMLStreamReader.START_ELEMENT;
        }

        boolean isEnd() {
            return xml.getEventType() == XMLStreamReader.END_ELEMENT;
        }

        boolean isNamed(String name) {
            return xml.getLocalName().equals(name);
        }

        String name() {
            return xml.getLocalName();
        }

        @Nullable
        String attribute(String name) {
            for (int i = 0; i < xml.getAttributeCount(); i++) {
                if (xml.getAttributeLocalName(i).equals(name)) {
                    return xml.getAttributeValue(i);
                }
            }
            return null;
        }

        /** The text in the element that begins here, without the readings above Japanese words. */
        String text(long row) {
            var text = new StringBuilder();
            int readings = 0;
            for (int depth = 1; depth > 0 && next(row); ) {
                switch (xml.getEventType()) {
                    case XMLStreamReader.START_ELEMENT -> {
                        depth++;
                        readings += readings > 0 || isNamed("rPh") ? 1 : 0;
                    }
                    case XMLStreamReader.END_ELEMENT -> {
                        depth--;
                        readings -= readings > 0 ? 1 : 0;
                    }
                    case XMLStreamReader.CHARACTERS, XMLStreamReader.CDATA, XMLStreamReader.SPACE -> {
                        if (readings == 0) {
                            text.append(xml.getText());
                        }
                    }
                    default -> {}
                }
            }
            return text.toString();
        }

        @Override
        public void close() {
            try {
                xml.close();
                content.close();
            } catch (IOException | XMLStreamException e) {
                throw corrupt(1);
            }
        }
    }

    /** An unpacked part, with an end where more than allowed was read. */
    private static final class Unpacked extends FilterInputStream {

        private long count;
        private long limit;
        private boolean exceeded;

        Unpacked(InputStream content, long limit) {
            super(content);
            this.limit = limit;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            count += Math.max(0, read);
            if (count > limit) {
                exceeded = true;
                throw new IOException("more than allowed");
            }
            return read;
        }
    }
}
