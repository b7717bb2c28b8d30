package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.inbox.keys.SshKey;
import io.hiroba.inbox.keys.SshKeys;
import io.hiroba.inbox.people.Identities;
import io.hiroba.inbox.people.Identity;
import io.hiroba.inbox.settings.Delivery;
import io.hiroba.inbox.settings.InboxSettings;
import io.hiroba.inbox.settings.Preference;
import io.javalin.http.Context;
import java.util.List;

/** Gathers what the page of settings shows its reader. */
public final class SettingsSheets {

    static final List<Choice> DELIVERIES = List.of(
            new Choice(Delivery.ON.text(), "Into the inbox"),
            new Choice(Delivery.EMAIL.text(), "Into the inbox, and by e-mail"),
            new Choice(Delivery.OFF.text(), "Not at all"));

    private final InboxSettings settings;
    private final Identities identities;
    private final SshKeys keys;
    private final FilterChoices choices;
    private final Readers readers;
    private final ReaderMoments moments;

    public SettingsSheets(
            InboxSettings settings,
            Identities identities,
            SshKeys keys,
            FilterChoices choices,
            Readers readers,
            ReaderMoments moments) {
        this.settings = settings;
        this.identities = identities;
        this.keys = keys;
        this.choices = choices;
        this.readers = readers;
        this.moments = moments;
    }

    SettingsSheet of(Context ctx) {
        var caller = Caller.of(ctx);
        var now = moments.of(ctx);
        return new SettingsSheet(
                settings.preferences(caller).stream().map(SettingsSheets::wish).toList(),
                settings.keepsMoot(caller),
                choices.namespaces(caller.user()),
                identities.of(caller.user()).stream().map(SettingsSheets::name).toList(),
                keys.of(caller.user()).stream().map(key -> key(key, now)).toList(),
                readers.profile(ctx).orElseThrow().user().email().value(),
                now.zone().getId());
    }

    private static SettingsSheet.Wish wish(Preference preference) {
        var namespace = preference.scope().namespace();
        var action = preference.scope().action();
        var path = preference.path();
        return new SettingsSheet.Wish(
                namespace == null ? "" : namespace.hex(),
                action == null ? "" : action.text(),
                path == null ? "Everywhere" : path,
                action == null ? "Everything" : Wording.label(action),
                how(preference.delivery()));
    }

    private static String how(Delivery delivery) {
        return DELIVERIES.stream()
                .filter(choice -> choice.value().equals(delivery.text()))
                .map(Choice::label)
                .findFirst()
                .orElseThrow();
    }

    private static SettingsSheet.Name name(Identity identity) {
        var username = identity.name().username();
        return new SettingsSheet.Name(
                identity.id().hex(),
                username == null ? String.valueOf(identity.name().email()) : "@" + username,
                identity.waiting() ? "Waits for an admin to confirm it" : identity.confirmed() ? "Confirmed" : "Linked",
                identity.waiting());
    }

    private static SettingsSheet.Key key(SshKey key, Moments now) {
        var expires = key.expiresAt();
        boolean expired = expires != null && !expires.isAfter(now.now());
        return new SettingsSheet.Key(
                key.id().hex(),
                key.title(),
                key.fingerprint(),
                expires == null ? "Never expires" : (expired ? "Expired " : "Expires ") + now.lastDay(expires),
                expired);
    }
}
