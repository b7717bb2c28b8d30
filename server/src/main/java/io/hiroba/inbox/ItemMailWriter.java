package io.hiroba.inbox;

import io.hiroba.accounts.User;
import io.hiroba.inbox.ItemMailStore.PendingMail;
import io.hiroba.inbox.pages.ItemText;
import io.hiroba.platform.mail.NewMail;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.web.Templates;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes mails about items. Titles from outside are escaped and kept on one line. */
final class ItemMailWriter {

    private static final int MAX_LISTED_ITEMS = 50;

    private static final int MAX_SUBJECT_LENGTH = 120;
    private static final Pattern BREAKS = Pattern.compile("[\\p{Cntrl}\\u2028\\u2029]+");

    private final Templates templates;
    private final Site site;

    ItemMailWriter(Templates templates, Site site) {
        this.templates = templates;
        this.site = site;
    }

    /** @param items at least one */
    NewMail write(User to, List<PendingMail> items) {
        var listed = items.stream().limit(MAX_LISTED_ITEMS).map(this::item).toList();
        var view = new ItemMailView(
                oneLine(to.nickname().value()),
                items.size() == 1
                        ? "Something new in your inbox on " + site.name()
                        : "%d new in your inbox on %s".formatted(items.size(), site.name()),
                listed,
                items.size() - listed.size(),
                site.link("/inbox"),
                site.link("/inbox/settings"));
        var html = new String(templates.render("inbox/mail", Map.of("mail", view)), StandardCharsets.UTF_8);
        return new NewMail(to.email().value(), subject(view), view.text()).withHtml(html);
    }

    private static String subject(ItemMailView view) {
        if (view.items().size() > 1) {
            return view.headline();
        }
        var only = view.items().getFirst();
        var subject = only.reason() + ": " + only.title();
        if (subject.length() <= MAX_SUBJECT_LENGTH) {
            return subject;
        }
        int end = Character.isHighSurrogate(subject.charAt(MAX_SUBJECT_LENGTH - 1))
                ? MAX_SUBJECT_LENGTH - 1
                : MAX_SUBJECT_LENGTH;
        return subject.substring(0, end) + "…";
    }

    private ItemMailView.Item item(PendingMail pending) {
        return new ItemMailView.Item(
                ItemText.label(pending.action()), oneLine(pending.title()), oneLine(pending.path()), address(pending));
    }

    private String address(PendingMail pending) {
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
