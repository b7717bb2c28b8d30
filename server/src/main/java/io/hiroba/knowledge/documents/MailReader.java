package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Text;
import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimePart;
import jakarta.mail.internet.MimePartDataSource;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.internet.ParseException;
import jakarta.mail.util.SharedByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.angus.mail.util.MailStreamProvider;
import org.jspecify.annotations.Nullable;

/** Reads mails and mailboxes: a section a mail, with its heads, its text and the names of its attachments. */
final class MailReader {

    private static final String STREAMS = "jakarta.mail.util.StreamProvider";
    private static final int MAX_DEPTH = 10;
    private static final int MAX_PARTS = 1000;
    private static final int MAX_MAILS = 20_000;
    private static final List<String> HEADS = List.of("From", "To", "Cc", "Date");

    /** The encoding that an encoded word of a head names. */
    private static final Pattern WORD_CHARSET = Pattern.compile("=\\?([^?*\\s]{1,40})(?=(?:\\*[^?]*)?\\?[BbQq]\\?)");

    /** How a mail in a mailbox begins. */
    private static final Pattern FROM_LINE = Pattern.compile("From \\S+ .*[0-9]{4}.*", Pattern.DOTALL);

    private static final Pattern HEAD = Pattern.compile(
            "(?i)(?:from|to|subject|date|received|return-path|message-id|mime-version|delivered-to|x-[a-z0-9-]+):.*");
    private static final int SAMPLE_LINES = 5;

    /** Knows no server: mails are read, not sent. Made once, for it searches the class path. */
    private static final Session SESSION;

    static {
        // The library would search all others for it, several times a mail.
        if (System.getProperty(STREAMS) == null) {
            System.setProperty(STREAMS, MailStreamProvider.class.getName());
        }
        SESSION = Session.getInstance(new Properties());
    }

    private final TextBudget budget = new TextBudget();
    private final List<Section> sections = new ArrayList<>();
    private int mails;
    private int blockCount;
    private int parts;

    /** Whether what cannot be read is left out, so that one odd mail does not keep the others of its mailbox away. */
    private final boolean isLenient;

    private int unreadable;
    private boolean isDamaged;

    private MailReader(boolean isLenient) {
        this.isLenient = isLenient;
    }

    /** Whether a text begins with the heads of a mail. */
    static boolean isMail(String start) {
        var lines = start.lines()
                .takeWhile(line -> !line.isEmpty())
                .limit(SAMPLE_LINES)
                .toList();
        return lines.size() >= 2
                && lines.stream().filter(line -> HEAD.matcher(line).matches()).count() >= 2;
    }

    static boolean isMailbox(String start) {
        var first = start.lines().findFirst().orElse("");
        return FROM_LINE.matcher(first).matches()
                && isMail(start.substring(Math.min(first.length() + 1, start.length())));
    }

    static ParsedDocument read(byte[] mail) {
        var reader = new MailReader(false);
        var subject = reader.mail(mail);
        // A mail alone needs no number.
        var sections = reader.sections.stream()
                .map(section -> Section.of(section.path(), section.blocks()))
                .toList();
        return new ParsedDocument(subject, sections);
    }

    static ParsedDocument readMailbox(byte[] mailbox) {
        var reader = new MailReader(true);
        int start = -1;
        boolean afterBlank = true;
        for (int at = 0; at < mailbox.length; ) {
            int end = at;
            while (end < mailbox.length && mailbox[end] != '\n') {
                end++;
            }
            if (afterBlank && isFromLine(mailbox, at, end)) {
                if (start >= 0) {
                    reader.mailOf(mailbox, start, at);
                }
                start = Math.min(end + 1, mailbox.length);
            }
            afterBlank = end == at || (end == at + 1 && mailbox[at] == '\r');
            at = end + 1;
        }
        if (start < 0) {
            throw corrupt();
        }
        reader.mailOf(mailbox, start, mailbox.length);
        if (reader.sections.isEmpty()) {
            throw corrupt();
        }
        return new ParsedDocument(
                null,
                reader.sections,
                reader.unreadable == 0
                        ? Map.of("message_count", reader.mails)
                        : Map.of("message_count", reader.mails, "unreadable_count", reader.unreadable));
    }

    /** Adds a mail of a mailbox, in which {@code >From} stands for the word at the beginning of a line. */
    private void mailOf(byte[] mailbox, int from, int to) {
        var mail = new ByteArrayOutputStream(to - from);
        for (int at = from; at < to; ) {
            int end = at;
            while (end < to && mailbox[end] != '\n') {
                end++;
            }
            end = Math.min(end + 1, to);
            int text = at;
            while (text < end && mailbox[text] == '>') {
                text++;
            }
            boolean isQuoted = text > at && end - text >= 5 && isFrom(mailbox, text);
            mail.write(mailbox, isQuoted ? at + 1 : at, end - (isQuoted ? at + 1 : at));
            at = end;
        }
        isDamaged = false;
        mail(mail.toByteArray());
        unreadable += isDamaged ? 1 : 0;
    }

    private static boolean isFromLine(byte[] mailbox, int from, int to) {
        return to - from > 5
                && isFrom(mailbox, from)
                && FROM_LINE
                        .matcher(new String(mailbox, from, Math.min(to - from, 200), StandardCharsets.ISO_8859_1))
                        .matches();
    }

    private static boolean isFrom(byte[] mailbox, int at) {
        return mailbox[at] == 'F'
                && mailbox[at + 1] == 'r'
                && mailbox[at + 2] == 'o'
                && mailbox[at + 3] == 'm'
                && mailbox[at + 4] == ' ';
    }

    private static KnowledgeProblem corrupt() {
        return KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.mail-corrupt"));
    }

    /** Adds a mail and returns its subject. */
    private @Nullable String mail(byte[] content) {
        if (++mails > MAX_MAILS) {
            throw KnowledgeProblem.tooManyBlocks();
        }
        parts = 0;
        try {
            return message(new SharedByteArrayInputStream(content), mails, 0);
        } catch (IOException | MessagingException e) {
            if (!isLenient) {
                throw corrupt();
            }
            isDamaged = true;
            return null;
        }
    }

    private @Nullable String message(InputStream content, int number, int depth)
            throws IOException, MessagingException {
        var mail = new MimeMessage(SESSION, content);
        var blocks = new ArrayList<Block>();
        var heads = new ArrayList<String>();
        for (var name : HEADS) {
            var value = head(mail, name);
            if (value != null) {
                heads.add(name + ": " + value);
            }
        }
        if (!heads.isEmpty()) {
            blocks.add(new Block.Text(budget.take(String.join("\n", heads))));
        }
        var subject = head(mail, "Subject");
        int at = sections.size();
        readable(mail, blocks, number, depth);
        blockCount += 1 + blocks.size();
        BlockLimit.check(blockCount);
        var path = subject == null || subject.length() > SectionBuilder.MAX_HEADING_LENGTH
                ? List.<String>of()
                : List.of(subject);
        // Before those of the mails that it forwards.
        sections.add(at, new Section(path, number, null, blocks, Section.Numbering.MESSAGE));
        return subject;
    }

    /** A decoded head; one in bytes beyond ASCII is read as the text would be. */
    private static @Nullable String head(MimeMessage mail, String name) throws MessagingException {
        var raw = mail.getHeader(name, ", ");
        if (raw == null) {
            return null;
        }
        var unfolded = MimeUtility.unfold(raw);
        String value;
        try {
            value = unfolded.chars().anyMatch(c -> c >= 0x80)
                    ? TextDecoder.text(unfolded.getBytes(StandardCharsets.ISO_8859_1), null)
                    : decoded(unfolded);
        } catch (IOException | KnowledgeProblem e) {
            value = unfolded;
        }
        var clean = StorableText.of(value).strip().replaceAll("\\s+", " ");
        return clean.isEmpty() ? null : clean;
    }

    /** A head or name whose encoded words are in the encodings that their names mean. */
    private static String decoded(String text) throws IOException {
        return MimeUtility.decodeText(WORD_CHARSET
                .matcher(text)
                .replaceAll(word -> Matcher.quoteReplacement("=?" + TextDecoder.meant(word.group(1)))));
    }

    /** Reads a part; of a mailbox as far as it can be read. */
    private void readable(MimePart part, List<Block> blocks, int number, int depth)
            throws IOException, MessagingException {
        try {
            part(part, blocks, number, depth);
        } catch (IOException | MessagingException e) {
            if (!isLenient) {
                throw e;
            }
            isDamaged = true;
        } catch (KnowledgeProblem e) {
            if (!isLenient || !e.code().equals(TextDecoder.UNKNOWN_ENCODING)) {
                throw e;
            }
            isDamaged = true;
        }
    }

    private void part(MimePart part, List<Block> blocks, int number, int depth) throws IOException, MessagingException {
        if (++parts > MAX_PARTS || depth > MAX_DEPTH) {
            if (isLenient) {
                throw new MessagingException("Too many parts");
            }
            throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.mail-nested"));
        }
        var type = type(part);
        var name = part.getFileName();
        boolean isAttached = Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition());
        if (type.match("multipart/*")) {
            multipart(part, type, blocks, number, depth);
        } else if (type.match("message/rfc822")) {
            message(part.getInputStream(), number, depth + 1);
        } else if (!isAttached && type.match("text/html")) {
            var html = TextDecoder.markup(bytes(part), type.getParameter("charset"));
            HtmlReader.read(budget.take(StorableText.of(html))).sections().forEach(section -> {
                section.path().stream().reduce((outer, own) -> own).ifPresent(own -> blocks.add(new Block.Text(own)));
                blocks.addAll(section.blocks());
            });
        } else if (!isAttached && type.match("text/*")) {
            var text = TextDecoder.text(bytes(part), type.getParameter("charset"));
            TextReader.read(budget.take(StorableText.of(text.replace("\r\n", "\n"))))
                    .sections()
                    .forEach(section -> blocks.addAll(section.blocks()));
        } else if (name != null) {
            blocks.add(new Block.Items(
                    List.of("- " + StorableText.of(decoded(name)).strip())));
        }
        BlockLimit.check(blocks.size());
    }

    private static byte[] bytes(MimePart part) throws IOException, MessagingException {
        try (var in = part.getInputStream()) {
            var bytes = in.readAllBytes();
            if (bytes.length > DocumentReader.MAX_TREE_SIZE && type(part).match("text/html")) {
                throw ArchiveParts.tooLarge();
            }
            return bytes;
        }
    }

    /** Of alternatives the plain text, if there is any in it: it is what was written, without the signs of a page. */
    private void multipart(MimePart part, ContentType type, List<Block> blocks, int number, int depth)
            throws IOException, MessagingException {
        // Not by the content of the part, for which the library would look for handlers in every jar.
        var multipart = new MimeMultipart(new MimePartDataSource(part));
        var chosen = new ArrayList<MimePart>();
        for (int i = 0; i < Math.min(multipart.getCount(), MAX_PARTS + 1); i++) {
            BodyPart each = multipart.getBodyPart(i);
            if (each instanceof MimePart known) {
                chosen.add(known);
            }
        }
        if (type.match("multipart/alternative") && !chosen.isEmpty()) {
            alternative(chosen, blocks, number, depth);
            return;
        }
        for (var each : chosen) {
            readable(each, blocks, number, depth + 1);
        }
    }

    private void alternative(List<MimePart> parts, List<Block> blocks, int number, int depth)
            throws IOException, MessagingException {
        var best = new ArrayList<MimePart>();
        for (var each : parts) {
            if (type(each).match("text/plain")) {
                best.add(each);
            }
        }
        best.addAll(parts.reversed());
        for (var each : best) {
            var read = new ArrayList<Block>();
            readable(each, read, number, depth + 1);
            if (!read.isEmpty()) {
                blocks.addAll(read);
                return;
            }
        }
    }

    private static ContentType type(MimePart part) throws MessagingException {
        var declared = part.getContentType();
        try {
            return new ContentType(declared == null ? "text/plain" : declared);
        } catch (ParseException e) {
            return new ContentType("text", "plain", null);
        }
    }
}
