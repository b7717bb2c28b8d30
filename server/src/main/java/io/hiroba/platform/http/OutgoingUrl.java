package io.hiroba.platform.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/** Checks of the addresses that people give for requests of {@link OutgoingHttp}. */
public final class OutgoingUrl {

    /** The maximum length of an address. */
    public static final int MAX_LENGTH = 2000;

    private OutgoingUrl() {}

    /** The reasons why an address is not used. */
    public enum Fault {
        /** It is no address of the web, too long, not encrypted, or has a password or a fragment. */
        UNUSABLE,
        /** It is written as one of this machine or its network. */
        PRIVATE
    }

    /**
     * What is wrong with an address, if anything is. What a name stands for is looked at when it is connected to.
     *
     * @param privateAddresses whether those of this machine and its network, and such without encryption, are allowed
     */
    public static Optional<Fault> check(String url, boolean privateAddresses) {
        try {
            var uri = new URI(url);
            var scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
            boolean usable = (scheme.equals("https") || (scheme.equals("http") && privateAddresses))
                    && uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getFragment() == null
                    && url.length() <= MAX_LENGTH;
            if (!usable) {
                return Optional.of(Fault.UNUSABLE);
            }
            return privateAddresses || !isPrivateLiteral(uri.getHost()) ? Optional.empty() : Optional.of(Fault.PRIVATE);
        } catch (URISyntaxException e) {
            return Optional.of(Fault.UNUSABLE);
        }
    }

    private static boolean isPrivateLiteral(String host) {
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            return !PublicAddress.isPublic(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
