"use strict";
/*
 * Draws the plots of the page from the JSON in it. Tables are there already, and every number that
 * a plot shows is one of the file: nothing is computed here but places on a canvas.
 *
 * For tests, a plot's element gets data-drawn once it is drawn, the number of its pixels that have a
 * colour (its axes have none), and the page data-fetched, the number of files that were loaded.
 */
(function () {
    const report = JSON.parse(document.getElementById("report").textContent);
    const COLOURS = ["#0b5fa5", "#b04a00", "#1a6e1a", "#7a2f8f", "#8a6d00", "#00707a", "#a3195b",
        "#444444"];
    const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];
    const RED = "#b00020";
    const WIDTH = 464;
    const HEIGHT = 280;
    const FONT = "12px system-ui, 'Liberation Sans', Arial, sans-serif";

    function time(ns) {
        if (ns === null || ns === undefined) return "–";
        const units = ["ns", "µs", "ms", "s"];
        let unit = 0;
        while (Math.abs(ns) >= 999.5 && unit < 3) {
            ns /= 1000;
            unit++;
        }
        return Number(ns.toPrecision(3)) + " " + units[unit];
    }

    function count(n) {
        return n === null || n === undefined ? "–" : n.toLocaleString("en-US");
    }

    /* "99.9 %" of 1 / (1 - p) = 1000. */
    function percent(x) {
        return Number((100 * (1 - 1 / x)).toPrecision(12)) + " %";
    }

    const positive = (value) => (value > 0 ? value : null);

    /* Repeats of one label have one colour and differ in their dashes. */
    function lineOf(label, colour, dash, more) {
        return Object.assign({
            label: label,
            stroke: COLOURS[colour % COLOURS.length],
            dash: DASHES[dash % DASHES.length],
            width: 1.5,
            spanGaps: true,
            points: {show: false},
            value: (u, v) => time(v),
        }, more);
    }

    function seriesLines(list, draw) {
        const groups = new Map();
        for (const series of list) {
            const group = groups.get(series.label) || {colour: groups.size, repeats: 0, drawn: 0};
            group.repeats++;
            groups.set(series.label, group);
        }
        return list.map((series) => {
            const group = groups.get(series.label);
            const number = ++group.drawn;
            const name = group.repeats > 1 ? series.label + " #" + number : series.label;
            return draw(series, name, group.colour, number - 1);
        });
    }

    const grid = {stroke: "#ddd", width: 1};
    const axis = (label, values, more) => Object.assign({
        label: label, labelFont: FONT, font: FONT, stroke: "#111", grid: grid, ticks: grid,
        values: values,
    }, more);

    /* On a logarithmic axis only the powers of ten are named. */
    const decade = (v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9;
    const onlyDecades = (text) => (u, splits) => splits.map((v) =>
        v !== null && decade(v) ? text(v) : "");
    const timeAxis = (label) => axis(label, onlyDecades(time), {size: 62});

    /* Whole decades around the data, so that at least two of them are named. */
    function decades(u, low, high) {
        if (!(low > 0) || !(high > 0)) return [1, 10];
        return [10 ** Math.floor(Math.log10(low)), 10 ** Math.max(Math.ceil(Math.log10(high)),
            Math.floor(Math.log10(low)) + 1)];
    }
    const logTime = {distr: 3, log: 10, range: decades};

    function percentiles(run) {
        const tables = [];
        const lines = seriesLines(run.series, (series, name, colour, dash) => {
            const xs = [];
            const ys = [];
            for (const rung of series.percentiles) {
                /* p100 has no place on this axis: the maximum is one of `count` values. */
                const x = Math.min(1 / (1 - rung.percentile / 100), Math.max(series.count, 1));
                if (xs.length === 0 || x > xs[xs.length - 1]) {
                    xs.push(x);
                    ys.push(positive(rung.value));
                } else {
                    ys[ys.length - 1] = positive(rung.value);
                }
            }
            tables.push([xs, ys]);
            return lineOf(name, colour, dash);
        });
        return {
            options: {
                title: "Latency by percentile",
                padding: [null, 30, null, null], /* half of the last label */
                scales: {x: {time: false, distr: 3, log: 10, range: decades}, y: logTime},
                axes: [axis("percentile", onlyDecades(percent)), timeAxis("latency")],
                series: [{label: "percentile", value: (u, v) => v === null ? "–" : percent(v)}]
                    .concat(lines),
            },
            data: uPlot.join(tables),
        };
    }

    function seconds(run) {
        const tables = [];
        const list = run.series.filter((series) => series.seconds.length > 1);
        const step = Math.min(...list.map((series) => series.seconds[1].t - series.seconds[0].t));
        const names = list.length === 1
            ? [["p50", "p50"], ["p99", "p99"], ["p999", "p99.9"], ["max", "max"]]
            : [["p999", "p99.9"]];
        const lines = seriesLines(list, (series, name, colour, dash) => names.map((pair, i) => {
            tables.push([series.seconds.map((s) => s.t),
                series.seconds.map((s) => positive(s[pair[0]]))]);
            return lineOf(name + " " + pair[1], list.length === 1 ? i : colour, dash);
        })).flat();
        return {
            options: {
                title: "Latency over time, each " + (step === 1 ? "second" : step + " seconds"),
                scales: {x: {time: false}, y: logTime},
                axes: [axis("seconds", (u, splits) => splits.map(count)), timeAxis("latency")],
                series: [{label: "second"}].concat(lines),
            },
            data: uPlot.join(tables),
        };
    }

    /* The knee as a band, and the limit as a line, behind the points. */
    function kneeMarks(knee) {
        return (u) => {
            const box = u.bbox;
            const ctx = u.ctx;
            ctx.save();
            if (knee.knee) {
                const from = u.valToPos(knee.knee.low, "x", true);
                const to = u.valToPos(knee.knee.high, "x", true);
                ctx.fillStyle = "rgba(176, 0, 32, 0.13)";
                ctx.fillRect(from, box.top, Math.max(to - from, 2), box.height);
            }
            const y = u.valToPos(knee.sla_ns, "y", true);
            ctx.strokeStyle = RED;
            ctx.setLineDash([8, 4]);
            ctx.beginPath();
            ctx.moveTo(box.left, y);
            ctx.lineTo(box.left + box.width, y);
            ctx.stroke();
            ctx.fillStyle = RED;
            ctx.font = 12 * devicePixelRatio + "px sans-serif";
            ctx.textAlign = "left";
            ctx.fillText("limit " + time(knee.sla_ns), box.left + 6, y - 5);
            ctx.restore();
        };
    }

    function knee(run) {
        const points = run.knee.points.slice().sort((a, b) => a.rate - b.rate);
        const xs = points.map((point) => point.rate);
        const repeats = Math.max(...points.map((point) => point.p999.length));
        const data = [xs, points.map((point) => positive(Math.max(...point.p999)))];
        const series = [{label: "msg/s", value: (u, v) => count(v)},
            lineOf("worst of the repeats", 0, 0)];
        for (let i = 0; i < repeats; i++) {
            data.push(points.map((point) => positive(point.p999[i] ?? null)));
            series.push(lineOf("repeat " + (i + 1), 0, 0,
                {paths: () => null, points: {show: true, size: 6}}));
        }
        const limit = run.knee.sla_ns;
        return {
            options: {
                title: "p99.9 of each repeat; knee and limit in red",
                scales: {
                    x: {time: false, range: (u, low, high) => [0, high * 1.05]},
                    y: {distr: 3, log: 10, range: (u, low, high) =>
                        decades(u, Math.min(low, limit), Math.max(high, limit))},
                },
                axes: [axis("rate, msg/s", (u, splits) => splits.map(count), {space: 80}),
                    timeAxis("p99.9")],
                series: series,
                hooks: {drawAxes: [kneeMarks(run.knee)]},
                legend: {show: false},
            },
            data: data,
        };
    }

    function burst(run) {
        const bursts = run.burst.bursts;
        const bars = uPlot.paths.bars({size: [0.7, 40]});
        const whole = (u, splits) => splits.map((v) => Number.isInteger(v) ? count(v) : "");
        return {
            options: {
                title: "Absorption of each burst, and its peak",
                scales: {
                    x: {time: false, range: (u, low, high) => [low - 0.7, high + 0.7]},
                    y: {range: (u, low, high) => [0, (high || 1) * 1.1]},
                    peak: {range: (u, low, high) => [0, (high || 1) * 1.1]},
                },
                axes: [axis("burst", whole),
                    axis("absorption", (u, splits) => splits.map(time), {size: 62}),
                    axis("peak, messages in 1 ms", (u, splits) => splits.map(count),
                        {scale: "peak", side: 1, size: 62, grid: {show: false}})],
                series: [{label: "burst"},
                    lineOf("absorption", 0, 0, {paths: bars, fill: "rgba(11, 95, 165, 0.25)"}),
                    lineOf("peak in 1 ms", 1, 0, {scale: "peak", value: (u, v) => count(v),
                        paths: () => null, points: {show: true, size: 6}})],
            },
            data: [bursts.map((b) => b.n), bursts.map((b) => b.absorb_ns),
                bursts.map((b) => b.peak_per_ms)],
        };
    }

    function coloured(canvas) {
        const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        let pixels = 0;
        for (let i = 0; i < bytes.length; i += 4) {
            const [r, g, b, alpha] = bytes.subarray(i, i + 4);
            if (alpha > 0 && Math.max(r, g, b) - Math.min(r, g, b) > 40) pixels++;
        }
        return pixels;
    }

    const makers = {percentiles: percentiles, seconds: seconds, knee: knee, burst: burst};

    function draw(place) {
        const run = report.runs[Number(place.dataset.run)].run;
        const plot = makers[place.dataset.plot](run);
        const legend = {show: plot.data.length <= 13, live: false};
        const options = Object.assign({width: WIDTH, height: HEIGHT, legend: legend,
            cursor: {show: false}}, plot.options);
        options.hooks = Object.assign({}, options.hooks, {
            draw: [(u) => { place.dataset.drawn = coloured(u.ctx.canvas); }],
        });
        new uPlot(options, plot.data, place);
    }

    for (const place of document.querySelectorAll("[data-plot]")) {
        try {
            draw(place);
        } catch (error) {
            place.textContent = "This plot could not be drawn: " + error.message;
            console.error(error);
        }
    }
    document.body.dataset.fetched = performance.getEntriesByType("resource").length;
})();
