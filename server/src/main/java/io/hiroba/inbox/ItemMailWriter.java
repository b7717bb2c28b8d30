package io.hiroba.inbox;

import io.hiroba.accounts.Profile;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.InboxPorts.ApprovalSummary;
import io.hiroba.inbox.ItemMailStore.PendingMail;
import io.hiroba.inbox.pages.ItemText;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.mail.NewMail;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.web.Templates;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes mails about items. Titles from outside are escaped and kept on one line. */
final class ItemMailWriter {

    private static final int MAX_LISTED_ITEMS = 50;

    private static final int MAX_SUBJECT_LENGTH = 120;
    private static final Pattern BREAKS = Pattern.compile("[\\p{Cntrl}\\u2028\\u2029]+");

    private final Templates templates;
    private final Site site;
    private final InboxPorts.ApprovalDecisions approvals;

    ItemMailWriter(Templates templates, Site site, InboxPorts.ApprovalDecisions approvals) {
        this.templates = templates;
        this.site = site;
        this.approvals = approvals;
    }

    /** @param items at least one */
    NewMail write(Reads reads, Profile profile, List<PendingMail> items, Instant now) {
        var to = profile.user();
        var language = Optional.ofNullable(profile.language()).orElse(Language.ENGLISH);
        var reader =
                new Reader(language, Optional.ofNullable(profile.timeZone()).orElse(ZoneId.systemDefault()), now);
        var shown = items.subList(0, Math.min(items.size(), MAX_LISTED_ITEMS));
        var summaries = summaries(reads, shown);
        var listed = shown.stream()
                .map(item -> {
                    var approval = item.approval();
                    var summary = approval == null ? null : summaries.get(approval);
                    return item(to.id(), item, facts(summary, reader), language);
                })
                .toList();
        var view = new ItemMailView(
                language,
                oneLine(to.nickname().value()),
                Text.of("inbox.mail.headline", "count", items.size(), "site", site.name())
                        .in(language),
                listed,
                items.size() - listed.size(),
                site.link("/inbox"),
                site.link("/inbox/settings"));
        var html = new String(templates.render("inbox/mail", Map.of("mail", view)), StandardCharsets.UTF_8);
        return new NewMail(to.email().value(), subject(view), view.plainText()).withHtml(html);
    }

    private static String subject(ItemMailView view) {
        if (view.items().size() > 1) {
            return view.headline();
        }
        var subject = view.line(view.items().getFirst());
        if (subject.length() <= MAX_SUBJECT_LENGTH) {
            return subject;
        }
        int end = Character.isHighSurrogate(subject.charAt(MAX_SUBJECT_LENGTH - 1))
                ? MAX_SUBJECT_LENGTH - 1
                : MAX_SUBJECT_LENGTH;
        return subject.substring(0, end) + "…";
    }

    private Map<Long, ApprovalSummary> summaries(Reads reads, List<PendingMail> items) {
        var ids = items.stream()
                .flatMap(item -> Stream.ofNullable(item.approval()))
                .distinct()
                .toList();
        return ids.isEmpty() ? new HashMap<>() : approvals.find(reads, ids);
    }

    private static List<String> facts(@Nullable ApprovalSummary approval, Reader reader) {
        var facts = new ArrayList<String>();
        var workflow = approval == null ? null : approval.workflowName();
        if (workflow != null) {
            facts.add(reader.text("inbox.approval.workflow", "name", oneLine(workflow)));
        }
        var deadline = approval == null ? null : approval.deadline();
        if (deadline != null) {
            facts.add(reader.text(
                    "inbox.mail.decide-by", "time", reader.longDateTime(deadline), "zone", reader.zoneName()));
        }
        return facts;
    }

    private ItemMailView.Item item(UserId to, PendingMail pending, List<String> facts, Language language) {
        return new ItemMailView.Item(
                ItemText.label(pending.action()).in(language),
                oneLine(pending.title()),
                facts,
                oneLine(pending.path()),
                address(to, pending));
    }

    private String address(UserId to, PendingMail pending) {
        if (pending.approval() != null) {
            return site.link(approvals.mailPath(to, pending.approval()));
        }
        var url = pending.url();
        if (url == null) {
            return site.link("/inbox");
        }
        return url.startsWith("/") ? site.link(url) : url;
    }

    private static String oneLine(String text) {
        return BREAKS.matcher(text).replaceAll(" ");
    }
}
