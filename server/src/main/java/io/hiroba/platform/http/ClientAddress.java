package io.hiroba.platform.http;

import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Determines the client address of a request. {@code X-Forwarded-For} is read from its right end, only as far as trusted
 * proxies wrote it: a client can send anything left of that.
 */
public final class ClientAddress {

    private final List<Network> trusted;

    public ClientAddress(List<String> trustedProxies) {
        this.trusted = networks(trustedProxies);
    }

    static List<Network> networks(List<String> texts) {
        return texts.stream().map(Network::parse).toList();
    }

    public InetAddress of(Context ctx) {
        return of(peer(ctx.req()), hops(ctx));
    }

    /** The other end of the connection, which may be a proxy. */
    static InetAddress peer(HttpServletRequest request) {
        return InetAddress.ofLiteral(bare(request.getRemoteAddr()));
    }

    /** The client of a connection from {@code remote} whose proxies wrote {@code forwarded}. */
    public InetAddress of(InetAddress remote, List<String> forwarded) {
        var address = remote;
        for (int i = forwarded.size() - 1; i >= 0 && isTrusted(address); i--) {
            var hop = literal(forwarded.get(i));
            if (hop == null) {
                break;
            }
            address = hop;
        }
        return address;
    }

    /** Whether the request was made on this machine and not forwarded by a proxy. */
    boolean isLocal(Context ctx) {
        return of(ctx).isLoopbackAddress() && ctx.header("X-Forwarded-For") == null && ctx.header("Forwarded") == null;
    }

    /** The key of rate limits: an IPv4 address, or the /64 network of an IPv6 client, who has all of it. */
    public String bucket(Context ctx) {
        return bucket(of(ctx));
    }

    /** As above, for a client's address. */
    public static String bucket(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        var prefix = Arrays.copyOf(Arrays.copyOf(address.getAddress(), 8), 16);
        return literalOf(prefix) + "/64";
    }

    /** Whether it is in one of the networks. */
    public boolean isTrusted(InetAddress address) {
        return trusted.stream().anyMatch(network -> network.contains(address));
    }

    private static List<String> hops(Context ctx) {
        if (ctx.req().getHeader("X-Forwarded-For") == null) {
            return List.of();
        }
        return hops(Collections.list(ctx.req().getHeaders("X-Forwarded-For")));
    }

    /** The addresses in the values of {@code X-Forwarded-For}. */
    public static List<String> hops(Iterable<String> values) {
        return Arrays.stream(String.join(",", values).split(",", -1))
                .map(String::strip)
                .toList();
    }

    private static @Nullable InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(bare(text));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String bare(String text) {
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    private static String literalOf(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are an address", e);
        }
    }

    /** A range of addresses: {@code 10.0.0.0/8}, {@code fd00::/8}, or one address. */
    record Network(InetAddress base, int bits) {

        /** @throws IllegalArgumentException if {@code text} is not such a range */
        static Network parse(String text) {
            int slash = text.indexOf('/');
            try {
                var base = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
                int max = base.getAddress().length * 8;
                int bits = slash < 0 ? max : Integer.parseInt(text.substring(slash + 1));
                if (bits >= 0 && bits <= max) {
                    return new Network(base, bits);
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("holds `%s`, which is not an address or network".formatted(text), e);
            }
            throw new IllegalArgumentException("holds `%s`, whose prefix is out of range".formatted(text));
        }

        boolean contains(InetAddress address) {
            var ours = base.getAddress();
            var theirs = address.getAddress();
            if (ours.length != theirs.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit & 7);
                if ((ours[bit >> 3] & mask) != (theirs[bit >> 3] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }
}
