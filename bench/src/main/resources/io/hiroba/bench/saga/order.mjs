// The workflow of three HTTP steps as a service of Restate. Arguments: the port to listen on, the address that steps call.
import * as restate from "@restatedev/restate-sdk";

const [port, target] = process.argv.slice(2);

const order = restate.service({
  name: "order",
  handlers: {
    run: async (ctx, payload) => {
      let last;
      for (let step = 0; step < 3; step++) {
        last = await ctx.run(`step ${step}`, async () => {
          const answer = await fetch(`${target}/step${step}`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify(payload),
          });
          return await answer.json();
        });
      }
      return last;
    },
  },
});

restate.serve({ services: [order], port: Number(port) });
